import type { Association } from '#contract/association.ts'
import { printLetter, type Block, type Letter } from '#server/mail/letter.ts'
import type { RsvpNews } from './waitlist.ts'

/** What a letter about an RSVP says. */
export interface RsvpWords {
  name: string
  guests: number
  meals: readonly string[]
  isWaiting: boolean
  /** Until when seats are held that are not confirmed yet, in words; null when none are. */
  heldUntil: string | null
  /** What is to be paid for the seats that are kept, and until when, in words; null when nothing is. */
  owed: { amount: string; by: string } | null
  /** What was paid, in words; null for nothing. */
  paid: string | null
  /** What the offer says about seats that are given back, where something was paid. */
  refund: string | null
  event: { title: string; date: string; time: string | null; location: string; address: string | null }
  creditHours: number | null
  /** What guests are told about an event that is called off, and what goes back to them, in words; null of others. */
  calledOff: { announcement: string; goesBack: string | null } | null
  /** Reads, changes and cancels the RSVP. */
  url: string
  eventUrl: string
}

/** The Content-ID of the QR code that comes with letters to whoever has a seat. */
export const DOOR_CODE = 'door-code'

/** What is told to whoever has no seat any more. */
export const HAVE_NO_SEAT: readonly RsvpNews[] = ['cancelled', 'removed', 'called-off', 'lapsed']

interface News {
  subject: string
  preview: string
  heading: string
  text: string
}

function newsOf(about: RsvpNews, { event: { title }, isWaiting, owed, calledOff, heldUntil }: RsvpWords): News {
  switch (about) {
    case 'confirm':
      return heldUntil === null ? confirmWaitlist(title) : confirmSeats(title, heldUntil)
    case 'said':
      return isWaiting ? waits(title) : comes(title)
    case 'again':
      return {
        subject: `Your RSVP: ${title}`,
        preview: 'It is as it was; the link in this letter changes it.',
        heading: 'We already have your RSVP',
        text: 'Someone, probably you, filled in the form for this event once more. Nothing was changed: below is what we have. To change it, use the button.',
      }
    case 'promoted':
      if (owed) return promotedToPay(title, owed)
      return {
        subject: `A seat for you: ${title}`,
        preview: 'Somebody gave seats back, and you were next.',
        heading: 'You have a seat',
        text: 'Somebody gave seats back, and you were next on the waitlist: your seats are kept. If you can no longer come, please give them back with the button.',
      }
    case 'lapsed':
      return {
        subject: `Your seats went to the next in line: ${title}`,
        preview: 'They were not paid for in time.',
        heading: 'Your seats went to the next in line',
        text: 'The seats we held for you were not paid for in time, so they go to the next in line. Nothing was charged. If you would still like to come, fill in the form on the event’s page again.',
      }
    case 'changed':
      return {
        subject: `Your RSVP was changed: ${title}`,
        preview: 'This is what we have now.',
        heading: 'Your RSVP was changed',
        text: 'This is what we have now.',
      }
    case 'reminder':
      return {
        subject: `In two days: ${title}`,
        preview: 'When, where, and what to show at the door.',
        heading: 'See you in two days',
        text: 'If you cannot come, please give your seats back: others may be waiting for them.',
      }
    case 'cancelled':
      return {
        subject: `Your RSVP is cancelled: ${title}`,
        preview: 'Your seats were given back.',
        heading: 'Your RSVP is cancelled',
        text: 'Your seats were given back. If this was a mistake, fill in the form on the event’s page again.',
      }
    case 'removed':
      return {
        subject: `Your RSVP was taken off: ${title}`,
        preview: 'An officer took it off the list.',
        heading: 'Your RSVP was taken off the list',
        text: 'An officer took your RSVP off the list of this event. If you do not know why, please answer this letter.',
      }
    case 'called-off':
      return {
        subject: `Called off: ${title}`,
        preview: 'This event will not take place.',
        heading: 'This event is called off',
        text: calledOff?.goesBack
          ? `${calledOff.announcement} What you paid, ${calledOff.goesBack}, goes back to your card; another letter tells you when it is on its way.`
          : (calledOff?.announcement ?? ''),
      }
    case 'certificate':
      return {
        subject: `Your certificate: ${title}`,
        preview: 'Your certificate of attendance comes with this letter.',
        heading: 'Thank you for coming',
        text: 'Your certificate of attendance comes with this letter; the button leads to it as well.',
      }
  }
}

const confirmSeats = (title: string, until: string): News => ({
  subject: `Please confirm your RSVP: ${title}`,
  preview: `Your seats are held until ${until}.`,
  heading: 'Please confirm your RSVP',
  text: `Your seats are held until ${until}. Press the button and confirm, and they are yours. After that time they go to the next person; the button still works while there are seats.`,
})

const confirmWaitlist = (title: string): News => ({
  subject: `Please confirm your RSVP: ${title}`,
  preview: 'One press, and you are on the waitlist.',
  heading: 'Please confirm your RSVP',
  text: 'All seats are taken at the moment. Press the button and confirm, and you are on the waitlist; should there be seats by then, they are kept for you.',
})

const comes = (title: string): News => ({
  subject: `You are on the list: ${title}`,
  preview: 'When, where, and what to show at the door.',
  heading: 'You are on the list',
  text: 'Your seats are kept. If you cannot come, please give them back with the button: others may be waiting for them.',
})

const promotedToPay = (title: string, { amount, by }: { amount: string; by: string }): News => ({
  subject: `A seat for you, to be paid: ${title}`,
  preview: `Your seats are kept until ${by}.`,
  heading: 'Seats are kept for you',
  text: `Somebody gave seats back, and you were next on the waitlist. Please pay ${amount} by ${by}: until then your seats are kept, after that they go to the next in line.`,
})

const waits = (title: string): News => ({
  subject: `You are on the waitlist: ${title}`,
  preview: 'All seats are taken; we write when one becomes free.',
  heading: 'You are on the waitlist',
  text: 'All seats are taken at the moment. When somebody gives seats back and it is your turn, they are kept for you automatically, and we write to you.',
})

/** A letter about an RSVP: what happened, what holds, and the way to change it. */
export function rsvpLetter(about: RsvpNews, words: RsvpWords, association: Association): Letter {
  const { subject, preview, heading, text } = newsOf(about, words)
  return printLetter(
    { subject: shortened(subject), preview, heading, blocks: [{ kind: 'text', text }, ...blocksOf(about, words)] },
    association,
  )
}

function blocksOf(about: RsvpNews, words: RsvpWords): Block[] {
  if (HAVE_NO_SEAT.includes(about))
    return [{ kind: 'link', lead: 'The event:', label: words.event.title, url: words.eventUrl }]
  if (about === 'certificate')
    return [
      { kind: 'facts', facts: certificateFacts(words) },
      { kind: 'button', label: 'Open the certificate', url: words.url },
    ]
  if (about === 'confirm')
    return [
      { kind: 'facts', facts: factsOf(words) },
      { kind: 'button', label: 'Confirm my RSVP', url: words.url },
      {
        kind: 'note',
        text: 'Please do not forward this email: anybody with its link can change your RSVP. If you did not ask for this, do nothing, and you will hear nothing more.',
      },
    ]
  const code: Block[] =
    words.isWaiting || words.owed
      ? []
      : [
          { kind: 'text', text: 'Show this code at the door, on your phone or printed. Your name works too.' },
          { kind: 'picture', url: `cid:${DOOR_CODE}`, alt: 'QR code for the door', width: 200 },
        ]
  return [
    { kind: 'facts', facts: factsOf(words) },
    ...code,
    ...(words.refund === null ? [] : [{ kind: 'text', text: words.refund } satisfies Block]),
    { kind: 'button', label: words.owed ? `Pay ${words.owed.amount}` : 'Change or cancel', url: words.url },
    {
      kind: 'note',
      text: 'Please do not forward this letter: anybody with its link can change your RSVP. If you did not ask for this, cancel with the button, and you will hear nothing more.',
    },
  ]
}

function factsOf({ event, name, guests, meals, owed, paid }: RsvpWords): [string, string][] {
  const { title, date, time, location, address } = event
  return [
    ['Event', title],
    ['When', [date, time].filter(Boolean).join(', ')],
    ['Where', [location, address].filter(Boolean).join(', ')],
    ['Name', name],
    ['Guests', String(guests)],
    ...(meals.length > 0 ? [['Meals', meals.join(', ')] as [string, string]] : []),
    ...(owed ? [['To be paid', `${owed.amount} by ${owed.by}`] as [string, string]] : []),
    ...(paid === null ? [] : [['Paid', paid] as [string, string]]),
  ]
}

function certificateFacts({ event, name, creditHours }: RsvpWords): [string, string][] {
  return [
    ['Event', event.title],
    ['Date', event.date],
    ['Name', name],
    ...(creditHours === null ? [] : [['Credit hours', String(creditHours)] as [string, string]]),
  ]
}

const LONGEST = 90

/** As a subject. */
export function shortened(subject: string): string {
  return subject.length > LONGEST ? `${subject.slice(0, LONGEST - 1).trimEnd()}…` : subject
}
