import type { Association } from '#contract/association.ts'
import type { Letter } from '#server/mail/letter.ts'
import { creditGoneLetter, receiptCanceledLetter } from '#server/features/membership/membership.emails.ts'

/** What members are emailed about payments that count no more. */
export function paymentLetters(firstName: string, association: Association): Record<string, Letter> {
  const accountUrl = 'https://example.org/auth/account'
  const receipt = { number: 'R-2026-ABC', facts: [['Canceled', 'March 2, 2026']] satisfies [string, string][] }
  const membership = { levelName: 'Annual Member', until: 'March 2, 2027' }
  return {
    'credit gone': creditGoneLetter(firstName, association),
    'receipt canceled': receiptCanceledLetter({ firstName, membership, accountUrl }, receipt, association),
    'receipt canceled, nothing left': receiptCanceledLetter(
      { firstName, membership: null, accountUrl },
      receipt,
      association,
    ),
  }
}
