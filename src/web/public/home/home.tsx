import { use, useDeferredValue, type ReactNode } from 'react'
import type { Association } from '#contract/public/association.ts'
import { firstUpcoming, recentPast } from '#contract/public/event-lists.ts'
import type { AssociationEvent } from '#contract/public/events.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { structuredData } from '#web/app/structured-data.ts'
import { useSession } from '#web/session/session.ts'
import { LazyMembershipGreeting } from '#web/shared/lazy-membership-greeting.tsx'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { EventCard } from '../events/event-card.tsx'
import { heroPicture, heroPreload } from './event-picture.ts'
import { heroSlides, UsedPictures } from './used-pictures.rules.ts'
import { HeroCarousel } from './hero-carousel.tsx'
import { Gallery } from './gallery.tsx'
import { NewsletterCard } from '../newsletter/newsletter-card.tsx'
import { LatestNews } from './latest-news.tsx'
import { SponsorLogos } from '../sponsors/sponsor-logos.tsx'
import { ButtonLink, MoreLink } from '#web/ui/button.tsx'
import { QuickAction, type QuickActionProps } from '../quick-action.tsx'
import type { Route } from './+types/home'

/** Fixed by the specification. */
const EVENTS_SHOWN = 3
const NEWS_SHOWN = 3
/** More would push the controls, and the figures below, out of the first screen. */
const MOST_SLIDES = 4

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [frame, figures, events, news, sponsors, heroImages, galleryImages] = await Promise.all([
    services.rootData(),
    services.figures(),
    services.events(),
    services.news(),
    services.sponsors(),
    services.pictures('home', 'hero'),
    services.pictures('home', 'gallery'),
  ])
  const { today } = frame
  const slides = heroSlides(events, today, MOST_SLIDES)
  const used = new UsedPictures()
  used.add(slides)
  return {
    today,
    organization: organization(frame.association, frame.siteUrl),
    figures,
    slides,
    upcoming: used.choose(firstUpcoming(events, today, EVENTS_SHOWN)),
    past: used.choose(recentPast(events, today, EVENTS_SHOWN)),
    news: used.choose(news.slice(0, NEWS_SHOWN)),
    sponsors,
    heroImages,
    galleryImages,
  }
}

type HomeContents = Awaited<ReturnType<typeof loader>>

/** On client-side navigation the text is shown immediately, and the rest when it arrives. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return { coming: serverLoader() }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  const known = loaderData && 'slides' in loaderData ? loaderData : null
  const first = known?.slides[0]
  return [
    ...pageMeta({
      contents,
      description:
        'Physicians of Indian origin in Georgia: education, advocacy, culture, community service and membership since 1987.',
    }),
    ...(known ? [known.organization] : []),
    // A page being hydrated has already loaded it.
    ...(import.meta.env.SSR && known && (first || known.heroImages.length > 0)
      ? [
          {
            tagName: 'link',
            rel: 'preload',
            as: 'image',
            ...heroPreload(heroPicture(first, known.heroImages, 0)),
            fetchPriority: 'high',
          },
        ]
      : []),
  ]
}

function organization({ name, email, foundedYear, address, socialLinks }: Association, siteUrl: string) {
  return structuredData({
    '@type': 'Organization',
    name,
    url: siteUrl,
    logo: `${siteUrl}/icon-512.png`,
    email,
    foundingDate: String(foundedYear),
    address: {
      '@type': 'PostalAddress',
      streetAddress: `${address.street}, ${address.suite}`,
      addressLocality: address.city,
      addressRegion: address.region,
      postalCode: address.postalCode,
      addressCountry: 'US',
    },
    sameAs: socialLinks.map(({ url }) => url),
  })
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const isLoaded = 'slides' in loaderData
  // Deferred instead of `Suspense`, which would replace the text: it has to stay, with the focus that the navigation
  // gave its heading.
  const coming = useDeferredValue(isLoaded ? null : loaderData.coming, null)
  const contents = isLoaded ? loaderData : coming && use(coming)
  return (
    <>
      <LazyMembershipGreeting />
      <section className="hero">
        <HeroText />
        {contents ? (
          <HeroCarousel events={contents.slides} images={contents.heroImages} today={contents.today} />
        ) : (
          <div className="window panel">
            <p className="slip">Loading events...</p>
          </div>
        )}
      </section>
      {contents ? (
        <BelowHero {...contents} />
      ) : (
        <section className="section panel gallery">
          <p className="wrap">Loading images...</p>
        </section>
      )}
    </>
  )
}

function BelowHero({ today, figures, upcoming, past, news, sponsors, galleryImages }: HomeContents) {
  return (
    <>
      {figures.length > 0 && (
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
      )}
      <Events title="Upcoming events" events={upcoming} today={today}>
        No upcoming events at the moment. Check back soon!
      </Events>
      <Events title="Recent past events" events={past} today={today} isPast>
        No past events to display.
      </Events>
      <QuickActions />
      <Gallery images={galleryImages} />
      <LatestNews items={news} />
      <NewsletterCard />
      <section className="section ground">
        <div className="wrap">
          <div className="head">
            <h2>Our sponsors</h2>
            <MoreLink to={paths.sponsorUs()}>Sponsor us</MoreLink>
          </div>
          <SponsorLogos sponsors={sponsors} />
        </div>
      </section>
    </>
  )
}

function HeroText() {
  const { status } = useSession()
  return (
    <div className="hero-text">
      <p className="eyebrow">Physicians of Indian origin in Georgia, since 1987</p>
      <h1 className="big">One house, many doors.</h1>
      <p className="lead">
        We teach and learn, speak up for our patients, look after one another, and celebrate what we brought with us.
        Come in; there's a place at the table.
      </p>
      <div className="buttons">
        {status === 'member' ? (
          <ButtonLink to={paths.account()}>{MY_MEMBERSHIP}</ButtonLink>
        ) : (
          <ButtonLink to={paths.becomeAMember()}>Become a Member</ButtonLink>
        )}
        <ButtonLink variant="line" to={paths.about()}>
          Learn More<span className="visually-hidden"> about the association</span>
        </ButtonLink>
      </div>
    </div>
  )
}

interface EventsProps {
  title: string
  events: AssociationEvent[]
  today: string
  isPast?: boolean
  /** The empty state. */
  children: ReactNode
}

function Events({ title, events, today, isPast, children }: EventsProps) {
  return (
    <section className={isPast ? 'section ground' : 'section'}>
      <div className="wrap">
        <div className="head">
          <h2>{title}</h2>
          <MoreLink to={paths.events()}>View All Events</MoreLink>
        </div>
        {events.length > 0 ? (
          <div className={isPast ? 'grid home-past' : 'grid home-upcoming'}>
            {events.map((event) => (
              <EventCard key={event.id} event={event} today={today} />
            ))}
          </div>
        ) : (
          <p>{children}</p>
        )}
      </div>
    </section>
  )
}

/** What members are offered instead of becoming one. */
const MY_MEMBERSHIP = 'My membership'
const MEMBER_ACTION: QuickActionProps = {
  title: MY_MEMBERSHIP,
  text: 'Your profile, payments and receipts.',
  to: paths.account(),
  spot: 'rose',
  ink: 'marigold',
}

const QUICK_ACTIONS: QuickActionProps[] = [
  {
    title: 'Become a Member',
    text: "Pick a membership, confirm your email, and you're in.",
    to: paths.becomeAMember(),
    spot: 'rose',
    ink: 'marigold',
  },
  {
    title: 'Contact Us',
    text: (
      <>
        A real person reads every message and replies within <span className="nowrap">24-48 hours</span>.
      </>
    ),
    to: paths.contact(),
    spot: 'mail',
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
  const { status } = useSession()
  const actions = status === 'member' ? [MEMBER_ACTION, ...QUICK_ACTIONS.slice(1)] : QUICK_ACTIONS
  return (
    <section className="section" aria-labelledby="quick-actions">
      <div className="wrap">
        <h2 className="visually-hidden" id="quick-actions">
          Quick actions
        </h2>
        <div className="quick-actions">
          {actions.map((action) => (
            <QuickAction key={action.title} {...action} />
          ))}
        </div>
      </div>
    </section>
  )
}
