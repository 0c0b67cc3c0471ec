import { findMessage, listOpenMessages } from '#server/features/contact/contact-message.repository.ts'
import { markAnswered } from '#server/features/contact/contact-message.commands.ts'
import { hoursLeft } from '../features/contact/contact.rules.ts'
import type { Tools } from './tools.ts'

/** `messages list`, `messages show ID` and `messages answered ID`. */
export async function messages(
  [action = 'list', id]: readonly string[],
  { database: { db }, clock, say }: Tools,
): Promise<number> {
  if (action === 'list') {
    const open = await listOpenMessages(db)
    for (const message of open) {
      const hours = hoursLeft(message.receivedAt, clock.now())
      const time = hours > 0 ? `${hours} h left` : `${-hours} h late`
      say(`${message.id}  ${time}  ${message.name} <${message.email}>  ${message.subject}`)
    }
    say(open.length === 0 ? 'All messages are answered.' : `${open.length} to answer.`)
    return 0
  }
  if (!id || (action !== 'show' && action !== 'answered')) {
    say('Usage: messages [list | show ID | answered ID]')
    return 2
  }
  const message = await findMessage(db, id)
  if (!message) {
    say(`There is no message ${id}.`)
    return 1
  }
  if (action === 'show') {
    say(`From     ${message.name} <${message.email}>`)
    say(`Subject  ${message.subject}`)
    say(`Received ${new Date(message.receivedAt).toISOString()}`)
    say(`\n${message.message}`)
    return 0
  }
  say((await markAnswered(db, id, clock.now())) ? 'Marked as answered.' : 'It was already answered.')
  return 0
}
