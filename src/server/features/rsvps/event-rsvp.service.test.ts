import { expect, test } from 'vitest'
import { withRsvpState } from './event-rsvp.service.ts'

type Event = Parameters<typeof withRsvpState>[0]
type Settings = Parameters<typeof withRsvpState>[1]

function buttonOf(detailsLink: string, isOpen: boolean): string {
  const settings = [{ eventId: 'gala', isOpen, calledOff: null }] as unknown as Settings
  return withRsvpState({ id: 'gala', detailsLink } as Event, settings).detailsLink
}

test.each([
  ['', '/events/gala#rsvp', ''],
  ['/events', '/events/gala#rsvp', '/events'],
  ['/events/gala', '/events/gala#rsvp', '/events/gala'],
  ['https://example.org/gala.pdf', 'https://example.org/gala.pdf', 'https://example.org/gala.pdf'],
])('the button %j leads to %s while the event takes RSVPs, otherwise to %j', (link, open, closed) => {
  expect([buttonOf(link, true), buttonOf(link, false)]).toEqual([open, closed])
})
