import type { CSSProperties } from 'react'
import type { SponsorPage } from '#contract/public/sponsors.ts'
import { requirePart } from '#web/public/require-part.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contactWithSubject } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { Quote } from '#web/public/quote.tsx'
import { SplitHead } from '#web/public/split-head.tsx'
import { SponsorLogos } from './sponsor-logos.tsx'
import { TierList } from './tier-list.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { Steps } from '#web/ui/steps.tsx'
import type { Route } from './+types/sponsor-us'

const CONTACT = contactWithSubject('Sponsorship Inquiry')
const TIERS = 'tiers'
const INKS = ['mist', 'blush', 'sage', 'sand']

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  await requirePart(services, 'sponsors')
  const [tiers, sponsors, page, head] = await Promise.all([
    services.tiers(),
    services.sponsors(),
    services.sponsorPage(),
    services.pageHead('sponsorUs'),
  ])
  return { tiers, sponsors, page, head }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return pageMeta({
    contents,
    title: 'Sponsor Us',
    description: loaderData?.head.description,
  })
}

export default function SponsorUsPage({ loaderData: { tiers, sponsors, page, head } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  return (
    <>
      <SplitHead
        title="Stand with the people who get up at 5 AM."
        lead={head.lead}
        picture={
          <Picture src="/art/hero-morning.svg" alt="A marigold sun over a city" width={1200} height={1000} isPriority />
        }
      >
        <div className="buttons">
          <a className="button" href={`#${TIERS}`}>
            See the tiers
          </a>
          <ButtonLink variant="line" to={CONTACT}>
            Contact us
          </ButtonLink>
        </div>
      </SplitHead>
      <section className="wrap section" id={TIERS}>
        <div className="head">
          <h2>Sponsorship tiers</h2>
        </div>
        <NeedsScript email={association.email} />
        <TierList tiers={tiers} recommended={page.recommended} />
      </section>
      {page.impact.length > 0 && <Impact title={page.impactTitle} impact={page.impact} />}
      <section className="wrap section">
        <div className="head">
          <h2>How it works</h2>
        </div>
        <Steps
          steps={[
            { title: 'Choose a tier', text: 'Or name an amount of your own. Tell us who you are; it takes a minute.' },
            {
              title: 'Pay by card',
              text: "You'll pay on our card processor's secure page. Your receipt comes by email.",
            },
            { title: 'Hear from an officer', text: 'We ask for your logo and plan your table and remarks with you.' },
          ]}
        />
      </section>
      <section className="section ground">
        <div className="wrap">
          <div className="head">
            <h2>They already stand with us</h2>
          </div>
          <SponsorLogos sponsors={sponsors} />
          {page.quote && (
            <div className="sponsor-voice">
              <Quote text={page.quote.text} name={page.quote.name} detail={page.quote.detail} />
            </div>
          )}
        </div>
      </section>
      <section className="panel sponsor-partnership">
        <div className="wrap section two even">
          <div className="flow">
            <h2>Something else in mind?</h2>
            <p className="lead">
              A health fair, a lecture series, coats for children: tell us what you care about, and we'll find the event
              it belongs to.
            </p>
            <div className="buttons">
              <ButtonLink variant="line" to={CONTACT}>
                Plan it with us
              </ButtonLink>
            </div>
          </div>
          <Picture
            src="/art/scene-cuff.svg"
            alt="At a health fair, a blood pressure cuff whose dial is a marigold"
            width={1200}
            height={900}
          />
        </div>
      </section>
    </>
  )
}

/** What sponsorships paid for, in figures. */
function Impact({ title, impact }: { title: string | null; impact: SponsorPage['impact'] }) {
  return (
    <section className="section ground" aria-labelledby="impact">
      <div className="wrap">
        <div className="head">
          <h2 id="impact">{title ?? 'What sponsors made possible'}</h2>
        </div>
        <ul className="impact">
          {impact.map(({ figure, text }, at) => (
            <li key={text} style={{ '--impact': `var(--${INKS[at % INKS.length]})` } as CSSProperties}>
              <b>{figure}</b>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
