import type { EmailState, TimelineEntry } from '#contract/console/people/member-timeline.ts'
import { METHOD_NAMES } from '#contract/console/money/hand-payments.ts'
import { formatMoney } from '#contract/money.ts'
import { describeManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { reminderName } from '../reminder-names.rules.ts'
import type { TimelineRows } from './timeline-rows.repository.ts'

type Row<Table extends keyof TimelineRows> = TimelineRows[Table] extends ReadonlyMap<string, infer One> ? One : never

/** What an entry says besides its place and time. */
export type EntryText = Pick<TimelineEntry, 'kind' | 'text'> & Partial<Omit<TimelineEntry, 'id' | 'at'>>

const sentence = (before: string, name = '', after = '', path: string | null = null): TimelineEntry['text'] => ({
  before,
  name,
  after,
  path,
})

const seatsText = (count: number) => `${count} ${count === 1 ? 'seat' : 'seats'}`

export function paymentText(
  { id, amount, currency, levelKey, purpose, reference, receiptNumber, couponCode, voidedAt }: Row<'payments'>,
  { levels, recorders, officers }: Pick<TimelineRows, 'levels' | 'recorders' | 'officers'>,
): EntryText {
  const forWhat = `${levels.get(levelKey)?.name ?? levelKey}${purpose === 'renewal' ? ', renewal' : ''}`
  const coupon = couponCode === null ? '' : `, coupon ${couponCode}`
  const recordedBy = describeManualPayment(reference) === null ? null : officers.get(recorders.get(id) ?? '')
  return {
    kind: 'payment',
    text: sentence(`Paid ${formatMoney(amount, currency)} for ${forWhat}, ${byMethod(reference)}${coupon}`),
    detail: sentences(recordedBy && `Recorded by ${recordedBy}`, voidedAt !== null && 'Record canceled'),
    receipt: { paymentId: id, number: receiptNumber },
  }
}

export function refundText({ id, amount, amountRefunded, currency, receiptNumber }: Row<'payments'>): EntryText {
  return {
    kind: 'refund',
    text: sentence(`Refunded ${ofWhole({ amount, amountRefunded, currency })}`),
    receipt: { paymentId: id, number: receiptNumber },
  }
}

export function voidText(payment: Row<'payments'>, { officers }: Pick<TimelineRows, 'officers'>): EntryText {
  return {
    kind: 'refund',
    text: sentence(canceledRecord(payment)),
    detail: whoAndWhy(payment, officers),
    receipt: { paymentId: payment.id, number: payment.receiptNumber },
  }
}

/** What an order was for. */
interface Purchase {
  order: Row<'orders'> | Row<'sponsorships'>
  /** As paid, such as "2 seats at ". */
  paidFor: string
  /** Without what may have changed since, such as "seats at ". */
  what: string
  name: string
  /** After the name. */
  detail: string
  path: string | null
}

export function seatsPurchase(order: Row<'orders'>, paths: Paths): Purchase {
  const paidFor = `${seatsText(order.guests + 1)} at `
  return { order, paidFor, what: 'seats at ', name: order.title, detail: '', path: paths.event(order.eventId) }
}

export function sponsorshipPurchase(order: Row<'sponsorships'>, { sponsors: path }: Paths): Purchase {
  const what = 'the sponsorship of '
  return { order, paidFor: what, what, name: order.company, detail: `, ${order.tierName}`, path }
}

export function purchaseText({ order, paidFor, name, detail, path }: Purchase): EntryText {
  const { amount, currency, manualReference, receiptNumber, voidedAt } = order
  const before = `Paid ${formatMoney(amount, currency)} for ${paidFor}`
  return {
    kind: 'payment',
    text: sentence(before, name, `${detail}, ${byMethod(manualReference)}`, path),
    detail: sentences(receiptNumber && `Receipt ${receiptNumber}`, voidedAt !== null && 'Record canceled'),
  }
}

export function purchaseRefundText({ order, what, name, path }: Purchase): EntryText {
  return {
    kind: 'refund',
    text: sentence(`Refunded ${ofWhole(order)} for ${what}`, name, '', path),
    detail: order.receiptNumber && `Receipt ${order.receiptNumber}`,
  }
}

export function purchaseVoidText(
  { order, what, name, path }: Purchase,
  { officers }: Pick<TimelineRows, 'officers'>,
): EntryText {
  return {
    kind: 'refund',
    text: sentence(`${canceledRecord(order)} for ${what}`, name, '', path),
    detail: whoAndWhy(order, officers),
  }
}

const canceledRecord = ({ amount, currency }: { amount: number; currency: string }) =>
  `Canceled the record of a payment of ${formatMoney(amount, currency)}`

function whoAndWhy(
  { voidedBy, voidReason }: { voidedBy: string | null; voidReason: string | null },
  officers: TimelineRows['officers'],
): string | null {
  const by = officers.get(voidedBy ?? '')
  return [by && `By ${by}`, voidReason].filter(Boolean).join(': ') || null
}

function sentences(...some: (string | false | null | undefined)[]): string | null {
  return some.filter(Boolean).join('. ') || null
}

/** Such as "by check 1042". */
function byMethod(reference: string | null): string {
  const manual = describeManualPayment(reference)
  if (manual === null) return 'by card'
  return `by ${manual.startsWith(METHOD_NAMES.zelle) ? manual : manual.replace(/^./, (first) => first.toLowerCase())}`
}

export function rsvpText(row: Row<'rsvps'>, titles: TimelineRows['eventTitles'], paths: Paths): EntryText {
  const status = { coming: '', paying: ', not paid yet', waiting: ', on the waitlist', cancelled: ', canceled' }[
    row.status
  ]
  const title = titles.get(row.eventId) ?? 'an event that was deleted'
  return {
    kind: 'event',
    text: sentence('RSVP to ', title, `, ${seatsText(row.guests + 1)}${status}`, paths.event(row.eventId)),
  }
}

export function checkInText(row: Row<'rsvps'>, titles: TimelineRows['eventTitles'], paths: Paths): EntryText {
  const title = titles.get(row.eventId) ?? 'an event that was deleted'
  return {
    kind: 'check-in',
    text: sentence(
      'Attended ',
      title,
      `, ${row.arrived} ${row.arrived === 1 ? 'person' : 'people'} checked in`,
      paths.event(row.eventId),
    ),
  }
}

export function messageText({ id, subject, answeredBy, answeredAt }: Row<'messages'>): EntryText {
  return {
    kind: 'message',
    text: sentence('Wrote: ', subject, '', `/console/messages/${id}`),
    detail: answeredBy
      ? `Answered by ${answeredBy}`
      : answeredAt === null
        ? 'Not answered yet'
        : 'Closed without an answer',
  }
}

export function emailText(
  { id, kind, doneAt, deadAt, lastError }: Row<'emails'>,
  emailNames: ReadonlyMap<string, string>,
): EntryText {
  const isRefused = lastError?.startsWith('mail refused') ?? false
  const state: EmailState =
    deadAt !== null ? (isRefused ? 'bounced' : 'failed') : doneAt === null ? 'queued' : 'delivered'
  return {
    kind: 'email',
    text: sentence(`Email “${emailNames.get(kind) ?? reminderName(kind)}”`),
    state,
    detail: state === 'delivered' ? null : lastError,
    failedEmail: deadAt === null ? null : id,
  }
}

export function reminderText({ kind, state, sentTo }: Row<'reminders'>, currentEmail: string): EntryText {
  return {
    kind: 'email',
    text: sentence(`Email “${reminderName(kind)}”`),
    state: state === 'sent' ? 'delivered' : 'dropped',
    detail: sentTo !== null && sentTo !== currentEmail ? `To ${sentTo}` : null,
  }
}

export function newsletterText(
  { campaignId, recipients, name, state, reason, email }: Row<'newsletters'>,
  mayOpen: { newsletters: boolean; memberEmails: boolean },
): EntryText {
  const states: Record<Row<'newsletters'>['state'], EmailState> = {
    waiting: 'queued',
    sending: 'queued',
    accepted: 'delivered',
    bounced: 'bounced',
    failed: 'failed',
    uncertain: 'failed',
    skipped: 'dropped',
  }
  const why = state === 'uncertain' ? `Unconfirmed: it may have reached ${email}` : reason
  return {
    kind: 'newsletter',
    text:
      recipients === 'subscribers'
        ? sentence('Newsletter “', name, '”', mayOpen.newsletters ? `/console/newsletter/${campaignId}` : null)
        : sentence('Email “', name, '”', mayOpen.memberEmails ? `/console/member-emails/${campaignId}` : null),
    state: states[state],
    detail: state === 'accepted' ? null : why,
  }
}

/** Console pages that the officer may open. */
export interface Paths {
  event(id: string): string | null
  sponsors: string | null
}

function ofWhole({
  amount,
  amountRefunded,
  currency,
}: {
  amount: number
  amountRefunded: number
  currency: string
}): string {
  const refunded = formatMoney(amountRefunded, currency)
  return amountRefunded === amount ? refunded : `${refunded} of ${formatMoney(amount, currency)}`
}
