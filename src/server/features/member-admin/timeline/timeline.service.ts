import type { AppContext } from '#server/app-context.ts'
import type { AuditEntry } from '#contract/console/audit.ts'
import {
  TIMELINE_PAGE,
  type getMemberTimeline,
  type TimelineEntry,
  type TimelineKind,
} from '#contract/console/people/member-timeline.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { listAuditActions, type AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findEmailSubjectIds } from '#server/features/accounts/email-subjects.queries.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { toNote } from '../notes/note.service.ts'
import { readTimelineRows, type TimelineRows } from './timeline-rows.repository.ts'
import * as texts from './timeline-text.rules.ts'
import { findTimeline, timelineKey, type TimelinePlace } from './timeline.repository.ts'

/** Shown by their payments, refunds and notes. */
const SHOWN_OTHERWISE: AuditAction[] = [
  'payment.recorded',
  'payment.voided',
  'payment.returned',
  'note.added',
  'note.changed',
]

/** What officers without the audit log see: the life of a membership, which the person's page shows them too. */
const LIFE = listAuditActions('members').filter((action) =>
  /^(account\.(created|merged)|member\.(added|imported)|membership\.|credentials\.)/.test(action),
)

/** A person's timeline: everything that concerns them, as far as the officer may see it. */
export function createTimelineService(
  { db }: AppContext,
  { audit, emailNames }: { audit: Pick<AuditService, 'findByIds'>; emailNames: ReadonlyMap<string, string> },
) {
  return {
    /** @throws Problem NOT_FOUND */
    async page(
      by: Officer,
      accountId: string,
      { show = 'all', before }: QueryOf<typeof getMemberTimeline>,
    ): Promise<ReplyOf<typeof getMemberTimeline>> {
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      const { email } = account
      const may = (permission: Officer['permissions'][number]) => by.permissions.includes(permission)
      const found = await findTimeline(db, {
        accountId,
        email,
        emailSubjects: show === 'all' || show === 'emails' ? await findEmailSubjectIds(db, email, [accountId]) : [],
        show,
        mayLookAtMoney: may('money.look'),
        mayReadMessages: may('messages.answer'),
        actions: may('audit.look') ? { without: SHOWN_OTHERWISE } : { only: LIFE },
        before: before === undefined ? null : readCursor(before),
        limit: TIMELINE_PAGE + 1,
      })
      const places = found.slice(0, TIMELINE_PAGE)
      const rows = await readTimelineRows(db, places)
      const changes = await audit.findByIds(places.filter(({ source }) => source === 'change').map(({ id }) => id))
      const paths: texts.Paths = {
        event: (id) => (may('events.run') && rows.eventTitles.has(id) ? `/console/rsvp/${id}` : null),
        sponsors: may('sponsors.look') ? '/console/sponsors' : null,
      }
      const tools = {
        by,
        email,
        emailNames,
        paths,
        changes,
        mayOpen: { newsletters: may('newsletter.send'), memberEmails: may('members.email') },
      }
      const last = places.at(-1)
      return {
        entries: places.flatMap((place) => {
          const text = textOf(place, rows, tools)
          return text ? [toEntry(place, text)] : []
        }),
        next: found.length > TIMELINE_PAGE && last ? `${last.at}~${timelineKey(last)}` : null,
      }
    },
  }
}

export type TimelineService = ReturnType<typeof createTimelineService>

function readCursor(before: string): { at: number; key: string } {
  const [at = '', key = ''] = before.split('~')
  return { at: Number(at), key }
}

/** null when the row is gone since its place was found. */
function textOf(
  { source, id }: TimelinePlace,
  rows: TimelineRows,
  {
    by,
    email,
    emailNames,
    paths,
    changes,
    mayOpen,
  }: {
    by: Officer
    email: string
    emailNames: ReadonlyMap<string, string>
    paths: texts.Paths
    changes: ReadonlyMap<string, AuditEntry>
    mayOpen: { newsletters: boolean; memberEmails: boolean }
  },
): texts.EntryText | null {
  const on = <Row>(row: Row | undefined, tell: (row: Row) => texts.EntryText) => (row ? tell(row) : null)
  const order = rows.orders.get(id)
  const seats = order && texts.seatsPurchase(order, paths)
  const sponsored = rows.sponsorships.get(id)
  const sponsorship = sponsored && texts.sponsorshipPurchase(sponsored, paths)
  switch (source) {
    case 'payment':
      return on(rows.payments.get(id), (row) => texts.paymentText(row, rows))
    case 'refund':
      return on(rows.payments.get(id), texts.refundText)
    case 'void':
      return on(rows.payments.get(id), (row) => texts.voidText(row, rows))
    case 'seats':
      return on(seats, texts.purchaseText)
    case 'seats-refund':
      return on(seats, texts.purchaseRefundText)
    case 'seats-void':
      return on(seats, (purchase) => texts.purchaseVoidText(purchase, rows))
    case 'sponsorship':
      return on(sponsorship, texts.purchaseText)
    case 'sponsorship-refund':
      return on(sponsorship, texts.purchaseRefundText)
    case 'sponsorship-void':
      return on(sponsorship, (purchase) => texts.purchaseVoidText(purchase, rows))
    case 'email':
      return on(rows.emails.get(id), (row) => texts.emailText(row, emailNames))
    case 'reminder':
      return on(rows.reminders.get(id), (row) => texts.reminderText(row, email))
    case 'newsletter':
      return on(rows.newsletters.get(id), (row) => texts.newsletterText(row, mayOpen))
    case 'rsvp':
      return on(rows.rsvps.get(id), (row) => texts.rsvpText(row, rows.eventTitles, paths))
    case 'check-in':
      return on(rows.rsvps.get(id), (row) => texts.checkInText(row, rows.eventTitles, paths))
    case 'message':
      return on(rows.messages.get(id), texts.messageText)
    case 'change':
      return on(changes.get(id), (entry) => changeText(entry, by))
    case 'note':
      return on(rows.notes.get(id), (row) => noteEntry(toNote(row, by)))
  }
}

function noteEntry(note: NonNullable<TimelineEntry['note']>): texts.EntryText {
  const what = note.kind === 'call' ? 'Call logged by ' : 'Note by '
  return { kind: 'note', text: { before: `${what}${note.by}`, name: '', after: '', path: null }, note }
}

function changeText({ action, actor, subject, text, changes }: AuditEntry, by: Officer): texts.EntryText {
  return {
    kind: changeKind(action),
    text: { before: `${actor} ${text.before}${subject}${text.after}`, name: '', after: '', path: null },
    changes: by.permissions.includes('audit.look') ? changes : [],
  }
}

function changeKind(action: string): TimelineKind {
  if (action.startsWith('credentials.')) return 'credentials'
  if (action.startsWith('membership.')) return 'membership'
  return action.startsWith('payment.') ? 'payment' : 'account'
}

function toEntry(place: TimelinePlace, text: texts.EntryText): TimelineEntry {
  return {
    id: timelineKey(place),
    at: new Date(place.at).toISOString(),
    detail: null,
    state: null,
    failedEmail: null,
    receipt: null,
    note: null,
    changes: [],
    ...text,
  }
}
