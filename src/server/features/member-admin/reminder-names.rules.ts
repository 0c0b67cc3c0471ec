/** The name of a reminder for officers, also of an email of another release: 'past_due_13' is 'Past due, 13 days'. */
export function reminderName(kind: string): string {
  const [, name = '', days] = /^(?:email\.)?(.*?)(?:_(\d+))?$/.exec(kind) ?? []
  const sentence = name.replaceAll('_', ' ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${days === undefined ? '' : `, ${days} days`}`
}
