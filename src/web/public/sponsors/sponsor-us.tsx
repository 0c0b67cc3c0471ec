import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contactWithSubject } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { SponsorLogos } from './sponsor-logos.tsx'
import { TierList } from './tier-list.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Picture } from '#web/ui/picture.tsx'
import type { Route } from './+types/sponsor-us'

const CONTACT = contactWithSubject('Sponsorship Inquiry')
const TIERS = 'tiers'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [tiers, sponsors] = await Promise.all([services.tiers(), services.sponsors()])
  return { tiers, sponsors }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: 'Sponsor Us',
    description:
      'Sponsors reach more than two thousand physicians of Indian origin in Georgia. Choose a tier and pay by card, no account needed.',
  })
}

export default function SponsorUsPage({ loaderData: { tiers, sponsors } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  return (
    <>
      <div className="hero">
        <div className="hero-text">
          <h1 tabIndex={-1}>Stand with the people who get up at 5 AM.</h1>
          <p className="lead">
            Sponsors reach more than two thousand physicians: at the gala, at lectures, at the clinic door. Choose a
            tier, pay by card, no account needed.
          </p>
          <div className="buttons">
            <a className="button" href={`#${TIERS}`}>
              See the tiers
            </a>
            <ButtonLink variant="line" to={CONTACT}>
              Contact us
            </ButtonLink>
          </div>
        </div>
        <div className="window panel sponsor-window">
          <figure className="jharokha">
            <Picture
              src="/art/hero-morning.svg"
              alt="A marigold sun over Atlanta"
              width={1200}
              height={1000}
              isPriority
            />
          </figure>
        </div>
      </div>
      <section className="wrap section" id={TIERS}>
        <div className="head">
          <h2>Sponsorship tiers</h2>
        </div>
        <NeedsScript email={association.email} />
        <TierList tiers={tiers} />
      </section>
      <section className="section ground">
        <div className="wrap">
          <div className="head">
            <h2>They already stand with us</h2>
          </div>
          <SponsorLogos sponsors={sponsors} />
        </div>
      </section>
      <section className="panel sponsor-partnership">
        <div className="wrap section two even">
          <div className="flow">
            <h2>Custom partnership</h2>
            <p className="lead">
              Something else in mind? A vaccine drive, a lecture series, coats for children: tell us what you care about
              and we will find the event it belongs to.
            </p>
            <div className="buttons">
              <ButtonLink variant="line" to={CONTACT}>
                Write to us
              </ButtonLink>
            </div>
          </div>
          <Picture
            src="/art/event-flu.svg"
            alt="A vaccine vial in a wreath of autumn leaves"
            width={1200}
            height={900}
          />
        </div>
      </section>
    </>
  )
}
