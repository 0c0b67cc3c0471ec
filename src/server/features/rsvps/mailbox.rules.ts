/** Where a part after the plus sign and dots mean nothing: https://support.google.com/mail/answer/7436150 */
const WITHOUT_DOTS = ['gmail.com', 'googlemail.com']

/**
 * Which mailbox an address leads to: many providers deliver `ana+gala@example.org` to `ana@example.org`, so one person could be hundreds. For counting only;
 * emails go to the address as it was typed.
 */
export function mailboxKey(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@')
  const person = local.replace(/(?<=.)\+.*$/, '')
  return `${WITHOUT_DOTS.includes(domain) ? person.replaceAll('.', '') : person}@${domain}`
}
