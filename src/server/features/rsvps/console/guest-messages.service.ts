import type { AppContext } from '#server/app-context.ts'
import {
  GUEST_AUDIENCES,
  type EventEmails,
  type GuestAudience,
  type GuestReach,
  type previewGuestMessage,
  type saveEventNotes,
  type sendGuestMessage,
} from '#contract/console/events/events.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { EventDetails } from '#contract/public/events.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import type { Officer } from '#server/http/serve.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findRsvpSettings, storeEventNotes } from '../rsvp-settings.repository.ts'
import { listRsvps, type Rsvp } from '../rsvp.repository.ts'
import { partySize, REMIND_BEFORE_MS } from '../rsvp.rules.ts'
import { isInState } from './attendee.rules.ts'
import type { EventSource } from './event-list.service.ts'
import { messageGuests } from './guest-message.effects.ts'
import { guestMessageEmail, sendGuestMessageEmail } from './guest-message.emails.ts'
import { findGuestMessage, insertCopy, insertGuestMessage, listGuestMessages } from './guest-message.repository.ts'

/** Emails of officers to the guests of an event, and what its automatic emails also say. Methods throw Problem NOT_FOUND. */
export function createGuestMessages(
  { db, clock, timeZone, siteUrl, association, cache, wakeOutbox }: AppContext,
  { events }: { events: Pick<EventSource, 'findDraft'> },
) {
  async function requireEvent(eventId: string): Promise<EventDetails> {
    const event = cache.content().events.get(eventId) ?? (await events.findDraft(eventId))
    if (!event) throw new Problem('NOT_FOUND')
    return event
  }

  async function read(eventId: string): Promise<EventEmails> {
    const event = await requireEvent(eventId)
    const [settings, rsvps, messages] = await Promise.all([
      findRsvpSettings(db, eventId),
      listRsvps(db, eventId),
      listGuestMessages(db, eventId),
    ])
    const { startsAt } = eventSpan(event, timeZone)
    const reach = GUEST_AUDIENCES.map((audience) => [audience, reachOf(rsvps, [audience])])
    return {
      notes: {
        confirmation: settings?.confirmationNote ?? '',
        reminder: settings?.reminderNote ?? '',
        version: settings?.version ?? 0,
      },
      reach: Object.fromEntries(reach) as Record<GuestAudience, GuestReach>,
      reminderAt: startsAt === null ? null : new Date(startsAt - REMIND_BEFORE_MS).toISOString(),
      reminded: rsvps.filter(({ remindedAt }) => remindedAt !== null).length,
      messages: messages.map(({ id, subject, text, audiences, sentAt, by, parties, accepted }) => ({
        id,
        subject,
        text,
        audiences,
        sentAt: new Date(sentAt).toISOString(),
        by: by ?? 'A former officer',
        parties,
        accepted,
      })),
    }
  }

  return {
    read,

    /** @throws Problem CHANGED_MEANWHILE, also while RSVPs were never set up */
    async saveNotes(
      officer: Officer,
      eventId: string,
      { confirmation, reminder, version }: BodyOf<typeof saveEventNotes>,
    ): Promise<EventEmails> {
      await requireEvent(eventId)
      await db.transaction().execute(async (tx) => {
        const before = await findRsvpSettings(tx, eventId)
        const notes = { confirmationNote: confirmation || null, reminderNote: reminder || null }
        if (!(await storeEventNotes(tx, eventId, { ...notes, version }))) throw new Problem('CHANGED_MEANWHILE')
        const details = {
          before: { confirmation: before?.confirmationNote ?? null, reminder: before?.reminderNote ?? null },
          after: { confirmation: notes.confirmationNote, reminder: notes.reminderNote },
        }
        const entry = { actor: officer.accountId, action: 'event.notes_saved' as const, subjectId: eventId, details }
        await writeAudit(tx, entry, clock.now())
      })
      return read(eventId)
    },

    async preview(
      eventId: string,
      { audiences, subject, text }: BodyOf<typeof previewGuestMessage>,
    ): Promise<ReplyOf<typeof previewGuestMessage>> {
      const event = await requireEvent(eventId)
      const content = { subject, text, event, url: `${siteUrl}/rsvp` }
      const email = guestMessageEmail(content, await association())
      const reach = reachOf(await listRsvps(db, eventId), audiences)
      return { reach, subject: email.subject, html: email.html, text: email.text }
    },

    /** @throws Problem NO_GUESTS */
    async send(
      officer: Officer,
      eventId: string,
      { id, audiences, subject, text }: BodyOf<typeof sendGuestMessage>,
    ): Promise<EventEmails> {
      await requireEvent(eventId)
      const { parties } = reachOf(await listRsvps(db, eventId), audiences)
      if (parties === 0) throw new Problem('NO_GUESTS')
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const message = { id, eventId, audiences, subject, text, sentBy: officer.accountId, sentAt: now }
        if (!(await insertGuestMessage(tx, message))) return
        await addToOutbox(tx, { effect: messageGuests, payload: { messageId: id } }, now)
        const details = { before: null, after: { subject, parties, audiences } }
        await writeAudit(
          tx,
          { actor: officer.accountId, action: 'event.message_sent', subjectId: eventId, details },
          now,
        )
      })
      wakeOutbox()
      return read(eventId)
    },

    effects: {
      /** Each party gets one copy, however often this runs. */
      async 'event.message_guests'({ messageId }) {
        await db.transaction().execute(async (tx) => {
          const message = await findGuestMessage(tx, messageId)
          if (!message) return
          for (const { id: rsvpId } of recipientsOf(await listRsvps(tx, message.eventId), message.audiences)) {
            if (!(await insertCopy(tx, { messageId, rsvpId }))) continue
            await addToOutbox(tx, { effect: sendGuestMessageEmail, payload: { messageId, rsvpId } }, clock.now())
          }
        })
        wakeOutbox()
      },
    } satisfies HandlersOf<typeof messageGuests>,
  }
}

export type GuestMessages = ReturnType<typeof createGuestMessages>

function chosenBy(rsvps: readonly Rsvp[], audiences: readonly GuestAudience[]): Rsvp[] {
  return rsvps.filter((rsvp) => audiences.some((audience) => isInState(rsvp, audience)))
}

function recipientsOf(rsvps: readonly Rsvp[], audiences: readonly GuestAudience[]): Rsvp[] {
  return chosenBy(rsvps, audiences).filter(({ email }) => email !== null)
}

function reachOf(rsvps: readonly Rsvp[], audiences: readonly GuestAudience[]): GuestReach {
  const recipients = recipientsOf(rsvps, audiences)
  return {
    parties: recipients.length,
    persons: recipients.reduce((sum, rsvp) => sum + partySize(rsvp), 0),
    unreachable: chosenBy(rsvps, audiences).length - recipients.length,
  }
}
