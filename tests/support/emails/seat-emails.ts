import {
  failedRefundEmail,
  seatReceiptEmail,
  seatRefundEmail,
} from '#server/features/rsvps/orders/rsvp-money.emails.ts'
import type { Email } from '#server/emails/email.ts'
import { association } from '../association.ts'
import { sampleSeats } from '../sample-seats.ts'

/** The emails about paid seats, for someone with this name. */
export function seatEmails(name: string, url: string): Record<string, Email> {
  return {
    'seats, receipt': seatReceiptEmail(
      { ...sampleSeats, title: name, name },
      { timeZone: 'America/New_York', refundUntil: null, url },
      association,
    ),
    ...Object.fromEntries(
      (['cancelled', 'fewer', 'no-seat', 'twice', 'officer', 'called-off'] as const).map((reason) => [
        `seats, money back: ${reason}`,
        seatRefundEmail({ reason, amount: 7_500 }, { ...sampleSeats, title: name }, association),
      ]),
    ),
    'seats, money that did not arrive': failedRefundEmail(
      { ...sampleSeats, title: name, name, email: 'leela@example.com' },
      { failed: 7_500, url },
      association,
    ),
  }
}
