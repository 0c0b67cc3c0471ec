const NAMES: Record<string, string> = {
  'email.receipt': 'Receipt',
  'email.receipt_canceled': 'Receipt canceled',
  'email.welcome': 'Welcome to the membership',
  'email.credentials': 'Decision about credentials',
  'email.credentials_question': 'Question about credentials',
  'email.password_changed': 'Password changed',
  'email.refund': 'Payment refunded',
  'email.invitation': 'Invitation to choose a password',
  'email.email_change_announced': 'Email address about to change',
}

/** The name of an email or reminder for officers: 'email.email_changed' is 'Email changed', 'past_due_13' is 'Past due, 13 days'. */
export function emailName(kind: string): string {
  const known = NAMES[kind]
  if (known) return known
  const [, name = '', days] = /^(?:email\.)?(.*?)(?:_(\d+))?$/.exec(kind) ?? []
  const sentence = name.replaceAll('_', ' ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${days === undefined ? '' : `, ${days} days`}`
}
