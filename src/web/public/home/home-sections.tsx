import type { ReactNode } from 'react'
import type { AssociationEvent } from '#contract/public/events.ts'
import { ReplyTime } from '#web/shared/reply-time.tsx'
import { paths } from '#web/app/paths.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useSession } from '#web/session/session.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { EventCard } from '../events/event-card.tsx'
import { NewsletterCard } from '../newsletter/newsletter-card.tsx'
import { QuickAction, type QuickActionProps } from '../quick-action.tsx'
import { SponsorLogos } from '../sponsors/sponsor-logos.tsx'
import { Gallery } from './gallery.tsx'
import type { HomeContents } from './home.tsx'
import { LatestNews } from './latest-news.tsx'

/** The sections of the home page below its first screen. */
export function HomeSections({ today, upcoming, past, news, sponsors, galleryImages }: HomeContents) {
  const { partsOff = [] } = useFrameContents()
  const hasEvents = !partsOff.includes('events')
  return (
    <>
      {hasEvents && (
        <Events title="Upcoming events" events={upcoming} today={today}>
          No upcoming events at the moment. Check back soon!
        </Events>
      )}
      {hasEvents && (
        <Events title="Recent past events" events={past} today={today} isPast>
          No past events to display.
        </Events>
      )}
      <QuickActions />
      <Gallery images={galleryImages} />
      <LatestNews items={news} />
      {!partsOff.includes('newsletter') && <NewsletterCard />}
      {!partsOff.includes('sponsors') && (
        <section className="section ground">
          <div className="wrap">
            <div className="head">
              <h2>Our sponsors</h2>
              <MoreLink to={paths.sponsorUs()}>Sponsor us</MoreLink>
            </div>
            <SponsorLogos sponsors={sponsors} />
          </div>
        </section>
      )}
    </>
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
        A real person reads every message and replies within <ReplyTime />.
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
