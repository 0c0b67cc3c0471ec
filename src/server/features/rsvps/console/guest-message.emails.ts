import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import type { AppContext } from '#server/app-context.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email, type EmailBlock } from '#server/emails/email.ts'
import { SAMPLE_URL } from '#server/emails/sample-values.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { truncateSubject } from '../emails/rsvp-text.emails.ts'
import { createRsvpToken } from '../rsvp-token.service.ts'
import { findRsvp } from '../rsvp.repository.ts'
import { findGuestMessage, markCopyAccepted } from './guest-message.repository.ts'

interface GuestMessageContent {
  subject: string
  text: string
  event: { title: string; date: string; time: string | null; location: string }
  /** Opens the guest's RSVP; null in a preview. */
  url: string
}

/** What an officer wrote to the guests of an event, with the event and the guest's own link. */
export function guestMessageEmail(content: GuestMessageContent, association: Association): Email {
  const { subject, text, event, url } = content
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  const when = [event.date, event.time].filter(Boolean).join(', ')
  return renderEmail(
    {
      subject: truncateSubject(subject),
      preview: paragraphs[0]?.slice(0, 150) ?? '',
      heading: subject,
      blocks: [
        ...paragraphs.map((paragraph): EmailBlock => ({ kind: 'text', text: paragraph, isFixed: true })),
        {
          kind: 'details',
          details: [
            ['Event', event.title],
            ['When', when],
            ['Where', event.location],
          ],
        },
        { kind: 'button', label: 'Open my RSVP', url },
        {
          kind: 'note',
          text: 'You get this email because of your RSVP for this event. Please do not forward it: anyone with its link can change your RSVP.',
          isFixed: true,
        },
      ],
    },
    association,
  )
}

export const sendGuestMessageEmail = defineEmail({
  kind: 'email.guest_message',
  name: 'Message to guests of an event',
  isFixed: true,
  samples: (name, association) => ({
    'message to guests': guestMessageEmail(
      {
        subject: `Parking, ${name}`,
        text: `Dear guests,\n\nplease park behind the hall.\n${name}`,
        event: { title: name, date: 'December 19, 2026', time: '6:30 PM', location: name },
        url: SAMPLE_URL,
      },
      association,
    ),
  }),
  payload: z.object({ messageId: z.string(), rsvpId: z.string() }),
  subject: 'rsvpId',
  priority: 'reminder',
  async compose({ messageId, rsvpId }, { db, clock, cache, secrets, siteUrl, association }: AppContext) {
    const [message, rsvp] = await Promise.all([findGuestMessage(db, messageId), findRsvp(db, rsvpId)])
    const event = message && cache.content().events.get(message.eventId)
    // A guest who canceled since then no longer wants to hear of the event.
    if (!message || !event || !rsvp?.email || (rsvp.status === 'cancelled' && rsvp.arrived === 0)) return null
    const url = secretLink(siteUrl, '/rsvp', { token: createRsvpToken(secrets, rsvp.id) })
    return {
      ...guestMessageEmail({ ...message, event, url }, await association()),
      to: rsvp.email,
      onSent: () => markCopyAccepted(db, { messageId, rsvpId }, clock.now()),
    }
  },
})
