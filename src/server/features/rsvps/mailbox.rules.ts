/** Providers that ignore dots and everything after a plus sign: https://support.google.com/mail/answer/7436150 */
const WITHOUT_DOTS = ['gmail.com', 'googlemail.com']

/**
 * Normalizes an address to its mailbox: many providers deliver `ana+gala@example.org` to `ana@example.org`, so one person could pose as hundreds.
 * Used only for counting; emails go to the address as it was entered.
 */
export function mailboxKey(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@')
  const person = local.replace(/(?<=.)\+.*$/, '')
  return `${WITHOUT_DOTS.includes(domain) ? person.replaceAll('.', '') : person}@${domain}`
}
