import { pastEvents, upcomingEvents } from '#contract/public/event-lists.ts'
import { requirePart } from '#web/public/require-part.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { documentPaths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { EventTabs } from './event-tabs.tsx'
import { HappeningNow } from './happening-now.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/event-list'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  await requirePart(services, 'events')
  const [{ today }, events, head] = await Promise.all([
    services.rootData(),
    services.events(),
    services.pageHead('events'),
  ])
  return { head, today, upcoming: upcomingEvents(events, today), past: pastEvents(events, today) }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return [
    ...pageMeta({
      contents,
      title: 'Events',
      description: loaderData?.head.description,
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

export default function EventsPage({ loaderData: { head, today, upcoming, past } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Events" lead={head.lead}>
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
