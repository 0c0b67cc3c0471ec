import { takesPlace, type EventDetails } from '#contract/public/events.ts'
import type { RootData } from '#server/pages/page-services.ts'
import { contentPaths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { structuredData } from '#web/app/structured-data.ts'

/** The event as schema.org data. Its times include the UTC offset of that day. */
export function eventData(event: EventDetails, { siteUrl, association }: RootData) {
  const url = siteUrl + contentPaths.event(event.id)
  const { title, description, startDate, endDate, location, address } = event
  return structuredData({
    '@type': 'Event',
    name: title,
    description,
    url,
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    eventStatus: `https://schema.org/${takesPlace(event) ? 'EventScheduled' : 'EventCancelled'}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: address ?? location },
    image: [new URL(sharePicture(event.imageKey), siteUrl).href],
    organizer: { '@type': 'Organization', name: association.name, url: siteUrl },
  })
}
