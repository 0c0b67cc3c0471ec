import { pastEvents, upcomingEvents } from '#contract/public/event-lists.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { documentPaths } from '#web/app/paths.ts'
import { contentsOf, pageMeta, placeOf } from '#web/app/title.ts'
import { EventTabs } from './event-tabs.tsx'
import { HappeningNow } from './happening-now.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/event-list'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [{ today }, events] = await Promise.all([services.rootData(), services.events()])
  return { today, upcoming: upcomingEvents(events, today), past: pastEvents(events, today) }
}

export function meta({ matches }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return [
    ...pageMeta({
      contents,
      title: 'Events',
      description: `Lectures, galas, clinic days and community gatherings of ${placeOf(contents).name}, upcoming and past.`,
    }),
    {
      tagName: 'link',
      rel: 'alternate',
      type: 'text/calendar',
      href: documentPaths.eventsCalendar(),
      title: 'Calendar of all events',
    },
  ]
}

export default function EventsPage({ loaderData: { today, upcoming, past } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Events"
        lead="Lectures with credit, evenings with music, and days in the park. Families welcome unless noted."
      >
        <a className="button line" href={documentPaths.eventsCalendar()}>
          Add all our events to your calendar
        </a>
      </PageHead>
      <div className="wrap section events">
        <HappeningNow events={[...upcoming, ...past]} today={today} />
        <EventTabs today={today} upcoming={upcoming} past={past} />
      </div>
    </>
  )
}
