import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import type { Figure } from '#contract/association.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { levelPrice } from '#web/features/membership/level-price.ts'
import { ButtonLink, MoreLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Picture, Spot, type SpotName } from '#web/ui/picture.tsx'
import { Steps } from '#web/ui/steps.tsx'
import type { Route } from './+types/home'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [figures, levels] = await Promise.all([services.figures(), services.levels()])
  return { figures, levels }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    description:
      'Physicians of Indian origin in Georgia: education, advocacy, culture, community service and membership since 1987.',
  })
}

const HERO_PICTURE = '/art/hero-gala.svg'

export function links() {
  return [{ rel: 'preload', as: 'image', href: HERO_PICTURE, type: 'image/svg+xml', fetchPriority: 'high' }]
}

export default function HomePage({ loaderData: { figures, levels } }: Route.ComponentProps) {
  return (
    <>
      <Hero />
      <Figures figures={figures} />
      <Aims />
      <Memberships levels={levels} />
      <QuickActions />
    </>
  )
}

function Hero() {
  return (
    <section className="hero">
      <div className="hero-text">
        <p className="eyebrow">Physicians of Indian origin in Georgia, since 1987</p>
        <h1 className="big">One house, many doors.</h1>
        <p className="lead">
          We teach and learn, speak up for our patients, look after one another, and keep the lamps lit. Come in and
          take your place at the table.
        </p>
        <div className="buttons">
          <ButtonLink to={paths.becomeAMember()}>Become a Member</ButtonLink>
          <ButtonLink variant="line" to={paths.about()}>
            Learn More<span className="visually-hidden"> about the association</span>
          </ButtonLink>
        </div>
      </div>
      <div className="window panel">
        <figure className="jharokha">
          <Picture
            src={HERO_PICTURE}
            width={1200}
            height={1000}
            alt="A long table set under a live oak hung with lanterns and marigolds, the city behind it"
            first
          />
        </figure>
      </div>
    </section>
  )
}

function Figures({ figures }: { figures: Figure[] }) {
  if (figures.length === 0) return null
  return (
    <section className="panel clay-band" aria-label="The association in figures">
      <dl className="wrap figures">
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const AIMS = [
  { title: 'Community service', text: 'A free clinic in Norcross for families without insurance.', picture: 'clinic' },
  {
    title: 'Education',
    text: 'Lectures, scholarships and a newsletter that keeps us current.',
    picture: 'event-lecture',
  },
  {
    title: 'Advocacy',
    text: 'White coats at the Capitol, for patients and for those who treat them.',
    picture: 'event-capitol',
  },
  { title: 'Networking', text: 'Residents, students and the long established, in one room.', picture: 'forum' },
  {
    title: 'Cultural celebration',
    text: 'Lamps, music and dance, with our families beside us.',
    picture: 'event-diwali',
  },
]

function Aims() {
  return (
    <section className="section">
      <div className="wrap">
        <div className="head">
          <h2>What we meet for</h2>
        </div>
        <div className="aims">
          {AIMS.map(({ title, text, picture }) => (
            <Card
              key={title}
              title={title}
              picture={<Picture src={`/art/${picture}.svg`} width={1200} height={900} alt="" />}
            >
              <p className="soft">{text}</p>
            </Card>
          ))}
        </div>
      </div>
    </section>
  )
}

function Memberships({ levels }: { levels: MembershipLevel[] }) {
  return (
    <section className="section ground">
      <div className="wrap two even">
        <Picture
          src="/art/hero-paisley.svg"
          width={1200}
          height={1000}
          alt="The tubing of a stethoscope drawn as a paisley full of flowers"
        />
        <div>
          <h2>A place for every stage</h2>
          <p className="lead membership-lead">
            From the first year of medical school to a lifetime. Membership is open to physicians of Indian origin
            practising in Georgia; we verify credentials.
          </p>
          <ul className="ledger">
            {levels.map((level) => (
              <LedgerRow key={level.key} level={level} />
            ))}
          </ul>
          <p>
            <MoreLink to={paths.becomeAMember()}>Compare and choose</MoreLink>
          </p>
        </div>
      </div>
      <div className="wrap how-it-works">
        <h2>How it works</h2>
        <Steps steps={JOINING_STEPS} />
      </div>
    </section>
  )
}

const JOINING_STEPS = [
  { title: 'Fill out the form', text: 'Two minutes. No card needed yet.' },
  { title: 'Verify email', text: 'We send a link and a 6-digit code.' },
  { title: 'Complete payment', text: "On our card partner's own page. Your membership starts at once." },
]

function LedgerRow({ level }: { level: MembershipLevel }) {
  const { amount, period } = levelPrice(level)
  return (
    <li>
      <div>
        <h3>{level.name}</h3>
        <p className="meta">{level.description}</p>
      </div>
      <p className="price">
        {amount} <small>{period}</small>
      </p>
    </li>
  )
}

const DOORS: { title: string; text: string; to: string; spot: SpotName; ink: string }[] = [
  {
    title: 'Become a Member',
    text: 'Choose a level, verify your address, and you are in.',
    to: paths.becomeAMember(),
    spot: 'rose',
    ink: 'marigold',
  },
  {
    title: 'Already a member?',
    text: 'Log in for your membership, your next bill and your details.',
    to: paths.login(),
    spot: 'lamp',
    ink: 'sage',
  },
  {
    title: 'About the association',
    text: 'Our mission, our bylaws and the people who serve.',
    to: paths.about(),
    spot: 'lotus',
    ink: 'blush',
  },
]

function QuickActions() {
  return (
    <section className="section" aria-labelledby="quick-actions">
      <div className="wrap">
        <h2 className="visually-hidden" id="quick-actions">
          Quick actions
        </h2>
        <div className="doors">
          {DOORS.map(({ title, text, to, spot, ink }) => (
            <div className="door" key={title} style={{ '--door': `var(--${ink})` } as CSSProperties}>
              <Spot name={spot} bare />
              <h3>
                <Link to={to}>{title}</Link>
              </h3>
              <p>{text}</p>
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}
