import type { Association } from '#contract/public/association.ts'
import type { Email } from '#server/emails/email.ts'
import { creditUnavailableEmail, receiptCanceledEmail } from '#server/features/memberships/membership.emails.ts'

/** Emails to members about canceled payments. */
export function paymentEmails(firstName: string, association: Association): Record<string, Email> {
  const accountUrl = 'https://example.org/auth/account'
  const receipt = { number: 'R-2026-ABC', details: [['Canceled', 'March 2, 2026']] satisfies [string, string][] }
  const membership = { levelName: 'Annual Member', until: 'March 2, 2027' }
  return {
    'credit gone': creditUnavailableEmail(firstName, association),
    'receipt canceled': receiptCanceledEmail({ firstName, membership, accountUrl }, receipt, association),
    'receipt canceled, nothing left': receiptCanceledEmail(
      { firstName, membership: null, accountUrl },
      receipt,
      association,
    ),
  }
}
