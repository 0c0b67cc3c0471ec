const NAMES: Record<string, string> = {
  'letter.receipt': 'Receipt',
  'letter.receipt_canceled': 'Receipt canceled',
  'letter.welcome': 'Welcome to the membership',
  'letter.credentials': 'Decision about credentials',
  'letter.credentials_question': 'Question about credentials',
  'letter.password_changed': 'Password changed',
  'letter.given_back': 'Payment given back',
  'letter.invitation': 'Invitation to choose a password',
  'letter.notice': 'Notice about the membership',
  'letter.email_change_announced': 'Announcement of a new email address',
}

/** A letter or notice as officers call it: 'letter.email_changed' is 'Email changed', 'past_due_13' is 'Past due, 13 days'. */
export function letterName(kind: string): string {
  const known = NAMES[kind]
  if (known) return known
  const [, words = '', days] = /^(?:letter\.)?(.*?)(?:_(\d+))?$/.exec(kind) ?? []
  const sentence = words.replaceAll('_', ' ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${days === undefined ? '' : `, ${days} days`}`
}
