/** The console's addresses of an event: its parts keep the ones that bookmarks and emails have. */
export function eventUrls(id: string): Record<'details' | 'rsvps' | 'attendees' | 'checkIn' | 'emails', string> {
  const path = encodeURIComponent(id)
  return {
    details: `/console/content/events/${path}`,
    rsvps: `/console/rsvp/${path}/offer`,
    attendees: `/console/rsvp/${path}/attendees`,
    checkIn: `/console/rsvp/${path}`,
    emails: `/console/rsvp/${path}/emails`,
  }
}
