import { useState, type Ref } from 'react'
import { contactWithSubject, paths } from '#web/app/paths.ts'
import { QuickAction } from '#web/public/quick-action.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { isOff } from '#contract/parts.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Spot } from '#web/ui/picture.tsx'
import { readPendingSponsorship } from './pending-sponsorship.ts'

/** After a paid sponsorship; names company and tier in the tab that ordered it. */
export function SponsorThanks({ titleRef }: { titleRef: Ref<HTMLHeadingElement> }) {
  const [ordered] = useState(readPendingSponsorship)
  const { partsOff } = useFrameContents()
  return (
    <>
      <section className="panel moment">
        <div className="wrap">
          <Spot name="lamp" bare />
          <h1 tabIndex={-1} ref={titleRef}>
            Thank you for your sponsorship!
          </h1>
          {ordered && <p className="statement">{ordered.company}</p>}
          <p className="lead">
            We received your payment. Your receipt is on its way by email, and an officer will contact you about your
            logo and your table.
          </p>
          {ordered && (
            <p className="membership-slip one">
              <small>Sponsorship</small>
              <b>{ordered.tier}</b>
            </p>
          )}
        </div>
      </section>
      <section className="section" aria-labelledby="next-steps">
        <div className="wrap flow">
          <h2 id="next-steps">What comes next</h2>
          <div className="quick-actions">
            <QuickAction
              title="Send your logo"
              text="As an SVG or PDF, if you have one."
              to={contactWithSubject('Sponsorship Question')}
              spot="mail"
              ink="marigold"
            />
            {!isOff(paths.events(), partsOff) && (
              <QuickAction
                title="Meet us at an event"
                text="See where your name will be."
                to={paths.events()}
                spot="cups"
                ink="sage"
              />
            )}
            {!isOff(paths.clinic(), partsOff) && (
              <QuickAction
                title="See the clinic"
                text="It runs on Saturdays and on sponsors."
                to={paths.clinic()}
                spot="stethoscope"
                ink="blush"
              />
            )}
          </div>
          <div className="buttons">
            <ButtonLink to={paths.home()}>Back to home</ButtonLink>
            <ButtonLink variant="line" to={paths.sponsorUs()}>
              Sponsor page
            </ButtonLink>
          </div>
          <SupportLine />
        </div>
      </section>
    </>
  )
}
