import type { Association } from '#contract/public/association.ts'
import { renderEmail, type EmailBlock, type Email } from '#server/emails/email.ts'
import { words, type EmailText, type Words } from '#server/emails/words.rules.ts'
import type { RsvpEmailKind } from '../rsvp.emails.ts'

/** The content of an RSVP email. */
export interface RsvpEmailContent {
  name: string
  guests: number
  meals: readonly string[]
  /** Such as '2 × Adult'; empty without kinds of tickets. */
  tickets: readonly string[]
  isWaiting: boolean
  /** Formatted end of the hold on unconfirmed seats; null if none are held. */
  heldUntil: string | null
  /** The amount due for held seats and its deadline, formatted; null if nothing is due. */
  amountDue: { amount: string; by: string } | null
  /** The amount paid, formatted; null if nothing was paid. */
  paid: string | null
  /** The refund terms, if something was paid. */
  refund: string | null
  event: { title: string; date: string; time: string | null; location: string; address: string | null }
  creditHours: number | null
  /** What an officer added for this event; null: nothing. */
  note: string | null
  /** For a canceled event: the officer's message to guests, and the formatted refund, if any. Otherwise null. */
  cancellation: { announcement: string; goesBack: string | null } | null
  /** Opens the RSVP to read, change or cancel it. */
  url: string
  eventUrl: string
}

/** The Content-ID of the QR code in emails to guests with a seat. */
export const CHECK_IN_CODE_CID = 'door-code'

/** The emails to guests who no longer have a seat. */
export const EMAILS_WITHOUT_SEAT: readonly RsvpEmailKind[] = ['cancelled', 'removed', 'called-off', 'lapsed']

interface Opening {
  subject: EmailText
  preview: EmailText
  heading: EmailText
  text: EmailText
}

function emailText(
  about: RsvpEmailKind,
  { event: { title }, isWaiting, amountDue: owed, cancellation: calledOff, heldUntil }: RsvpEmailContent,
): Opening {
  switch (about) {
    case 'confirm':
      return heldUntil === null ? confirmWaitlist(title) : confirmSeats(title, heldUntil)
    case 'said':
      return isWaiting ? waitlisted(title) : confirmed(title)
    case 'again':
      return {
        subject: words`Your RSVP: ${{ title }}`,
        preview: 'Nothing has changed. Use the link in this email to change it.',
        heading: 'We already have your RSVP',
        text: 'Someone, probably you, submitted the form for this event again. Nothing was changed; your current RSVP is below. To change it, use the button.',
      }
    case 'promoted':
      if (owed) return promotedToPay(title, owed)
      return {
        subject: words`You have a seat: ${{ title }}`,
        preview: 'Seats opened up, and you were next on the waitlist.',
        heading: 'You have a seat',
        text: 'Seats opened up, and you were next on the waitlist, so we reserved them for you. If you can no longer come, please cancel with the button.',
      }
    case 'lapsed':
      return {
        subject: words`Your seats were released: ${{ title }}`,
        preview: 'They were not paid for in time.',
        heading: 'Your seats were released',
        text: 'The seats we held for you were not paid for in time, so they went to the next person on the waitlist. Nothing was charged. If you would still like to come, please RSVP again on the event’s page.',
      }
    case 'changed':
      return {
        subject: words`Your RSVP was changed: ${{ title }}`,
        preview: 'Here is your current RSVP.',
        heading: 'Your RSVP was changed',
        text: 'Here is your current RSVP.',
      }
    case 'reminder':
      return {
        subject: words`In two days: ${{ title }}`,
        preview: 'When, where, and what to show at check-in.',
        heading: 'See you in two days',
        text: 'If you cannot come, please cancel: others may be waiting for your seats.',
      }
    case 'cancelled':
      return {
        subject: words`Your RSVP is canceled: ${{ title }}`,
        preview: 'Your seats were released.',
        heading: 'Your RSVP is canceled',
        text: 'Your seats were released. If this was a mistake, please RSVP again on the event’s page.',
      }
    case 'removed':
      return {
        subject: words`Your RSVP was removed: ${{ title }}`,
        preview: 'An officer removed it from the guest list.',
        heading: 'Your RSVP was removed',
        text: 'An officer removed your RSVP from the guest list of this event. If you do not know why, please reply to this email.',
      }
    case 'called-off':
      return {
        subject: words`Canceled: ${{ title }}`,
        preview: 'This event will not take place.',
        heading: 'This event is canceled',
        text: calledOff?.goesBack
          ? words`${{ announcement: calledOff.announcement }} Your payment of ${{ refund: calledOff.goesBack }} will be refunded to your card; we will email you once the refund is made.`
          : (calledOff?.announcement ?? ''),
      }
    case 'certificate':
      return {
        subject: words`Your certificate: ${{ title }}`,
        preview: 'Your certificate of attendance is attached.',
        heading: 'Thank you for coming',
        text: 'Your certificate of attendance is attached. You can also open it with the button.',
      }
  }
}

const confirmSeats = (title: string, until: string): Opening => ({
  subject: words`Please confirm your RSVP: ${{ title }}`,
  preview: words`Your seats are held until ${{ until }}.`,
  heading: 'Please confirm your RSVP',
  text: words`Your seats are held until ${{ until }}. Confirm with the button to keep them. After that they may go to someone else; the button still works while seats are left.`,
})

const confirmWaitlist = (title: string): Opening => ({
  subject: words`Please confirm your RSVP: ${{ title }}`,
  preview: 'Confirm to join the waitlist.',
  heading: 'Please confirm your RSVP',
  text: 'All seats are taken at the moment. Confirm with the button to join the waitlist. If seats have opened up by then, they are reserved for you.',
})

const confirmed = (title: string): Opening => ({
  subject: words`You are on the list: ${{ title }}`,
  preview: 'When, where, and what to show at check-in.',
  heading: 'You are on the list',
  text: 'Your seats are reserved. If you cannot come, please cancel with the button: others may be waiting for them.',
})

const promotedToPay = (title: string, { amount, by }: { amount: string; by: string }): Opening => ({
  subject: words`Your seat is ready: pay by ${{ by }}`,
  preview: words`${{ title }}: your seats are held until then.`,
  heading: 'Your seats are ready',
  text: words`Seats opened up, and you were next on the waitlist. Please pay ${{ amount }} by ${{ by }}. Your seats are held until then; after that they go to the next person on the waitlist.`,
})

const waitlisted = (title: string): Opening => ({
  subject: words`You are on the waitlist: ${{ title }}`,
  preview: 'All seats are taken; we will email you when one opens up.',
  heading: 'You are on the waitlist',
  text: 'All seats are taken at the moment. When seats open up and it is your turn, we reserve them for you automatically and email you.',
})

/** Composes an RSVP email: what happened, the current RSVP, and the link to change it. */
export function rsvpEmail(about: RsvpEmailKind, content: RsvpEmailContent, association: Association): Email {
  const { subject, preview, heading, text } = emailText(about, content)
  return renderEmail(
    {
      subject: truncateSubject(subject),
      preview,
      heading,
      blocks: [{ kind: 'text', text }, ...noteBlocks(content.note), ...emailBlocks(about, content)],
    },
    association,
  )
}

function noteBlocks(note: string | null): EmailBlock[] {
  return note === null ? [] : [{ kind: 'text', text: note, isFixed: true }]
}

function emailBlocks(about: RsvpEmailKind, content: RsvpEmailContent): EmailBlock[] {
  if (EMAILS_WITHOUT_SEAT.includes(about))
    return [{ kind: 'link', lead: 'The event:', label: content.event.title, url: content.eventUrl }]
  if (about === 'certificate')
    return [
      { kind: 'details', details: certificateFields(content) },
      { kind: 'button', label: 'Open the certificate', url: content.url },
    ]
  if (about === 'confirm')
    return [
      { kind: 'details', details: rsvpFields(content) },
      { kind: 'button', label: 'Confirm my RSVP', url: content.url },
      {
        kind: 'note',
        text: 'Please do not forward this email: anyone with its link can change your RSVP. If you did not request this, ignore this email, and you will not hear from us again.',
        isFixed: true,
      },
    ]
  const code: EmailBlock[] =
    content.isWaiting || content.amountDue
      ? []
      : [
          { kind: 'text', text: 'Show this code at check-in, on your phone or printed. Your name works too.' },
          { kind: 'picture', url: `cid:${CHECK_IN_CODE_CID}`, alt: 'QR code for check-in', width: 200 },
        ]
  return [
    { kind: 'details', details: rsvpFields(content) },
    ...code,
    ...(content.refund === null ? [] : [{ kind: 'text', text: content.refund, isFixed: true } satisfies EmailBlock]),
    {
      kind: 'button',
      label: content.amountDue ? `Pay ${content.amountDue.amount}` : 'Change or cancel',
      url: content.url,
    },
    {
      kind: 'note',
      text: 'Please do not forward this email: anyone with its link can change your RSVP. If you did not request this, cancel with the button, and you will not hear from us again.',
      isFixed: true,
    },
  ]
}

function rsvpFields({
  event,
  name,
  guests,
  meals,
  tickets,
  amountDue: owed,
  paid,
}: RsvpEmailContent): [string, string][] {
  const { title, date, time, location, address } = event
  return [
    ['Event', title],
    ['When', [date, time].filter(Boolean).join(', ')],
    ['Where', [location, address].filter(Boolean).join(', ')],
    ['Name', name],
    tickets.length > 0 ? ['Tickets', tickets.join(', ')] : ['Guests', String(guests)],
    ...(meals.length > 0 ? [['Meals', meals.join(', ')] as [string, string]] : []),
    ...(owed ? [['Amount due', `${owed.amount} by ${owed.by}`] as [string, string]] : []),
    ...(paid === null ? [] : [['Paid', paid] as [string, string]]),
  ]
}

function certificateFields({ event, name, creditHours }: RsvpEmailContent): [string, string][] {
  return [
    ['Event', event.title],
    ['Date', event.date],
    ['Name', name],
    ...(creditHours === null ? [] : [['Credit hours', String(creditHours)] as [string, string]]),
  ]
}

const LONGEST = 90

/** Cuts a subject that event titles make too long. */
export function truncateSubject(subject: EmailText): Words {
  return { ...(typeof subject === 'string' ? { template: subject, values: {} } : subject), max: LONGEST }
}
