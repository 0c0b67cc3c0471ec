import type { PostalAddress } from '#contract/member-record/record-values.ts'
import type { FrozenRecipient } from './member-email.repository.ts'

/**
 * Whether a notice has to reach this person by post: it went by post from the start, or its copy came back. Copies that are on their way or may have arrived
 * do not count, and nothing is posted to someone whose account has ended since.
 */
export function isForPost({ way, copy, isEnded }: Pick<FrozenRecipient, 'way' | 'copy' | 'isEnded'>): boolean {
  if (isEnded) return false
  if (way === 'post') return true
  return way === 'email' && copy !== null && ['bounced', 'failed', 'skipped'].includes(copy.state)
}

/** The lines of a CSV of labels, with its heading. */
export function labelRows(letters: readonly { name: string; address: PostalAddress }[]): string[][] {
  return [
    ['Name', 'Address', 'Address line 2', 'City', 'State', 'Postal code', 'Country'],
    ...letters.map(({ name, address: { lines, city, region, postalCode, country } }) => [
      name,
      lines[0] ?? '',
      lines[1] ?? '',
      city,
      region,
      postalCode,
      country,
    ]),
  ]
}
