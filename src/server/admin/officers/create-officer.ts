import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { emailField, firstNameField, lastNameField, usernameField } from '#contract/fields.ts'
import { createAccount, findAccountByName } from '../features/account/account.repository.ts'
import { hashPassword } from '../features/auth/passwords.ts'
import { writeAudit } from '../platform/audit.repository.ts'
import { newId } from '../platform/ids.ts'
import { addTerm } from '../features/console/officer.repository.ts'
import { firstTerm } from '../features/console/officer.rules.ts'
import type { Tools } from './tools.ts'

const officer = z.object({
  email: emailField,
  username: usernameField,
  firstName: firstNameField,
  lastName: lastNameField,
})

// Without letters and digits that look alike: it is read from a screen and typed once.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_LENGTH = 16

/** Creates an account that belongs to an officer, who is president for a year and can give every role in the console. The first password is made here, shown once and kept as a hash only. */
export async function createOfficer(
  [email, username, firstName, lastName]: readonly string[],
  { config, database: { db }, clock, say }: Tools,
): Promise<number> {
  const read = z.safeParse(officer, { email, username, firstName, lastName })
  if (!read.success) {
    for (const { path, message } of read.error.issues) say(`${path.join('.')}: ${message}`)
    return 2
  }
  const person = read.data
  for (const name of [person.email, person.username]) {
    if (await findAccountByName(db, name)) {
      say(`${name} belongs to an account already.`)
      return 1
    }
  }
  const password = Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  const passwordHash = await hashPassword(password)
  const now = clock.now()
  const id = newId(now)
  // A name that someone is registering with gets digits: what is said below is the name it got.
  const account = await db.transaction().execute(async (tx) => {
    const created = await createAccount(tx, { ...person, id, passwordHash, isOfficer: true, createdAt: now }, now)
    if (created) {
      const term = { id: newId(now), accountId: id, role: 'president', ...firstTerm(now, config.timeZone) } as const
      await addTerm(tx, { ...term, givenBy: 'webmaster' }, now)
      await writeAudit(tx, { actor: 'webmaster', action: 'officer.created', subjectId: id }, now)
    }
    return created
  })
  if (!account) {
    say(`${person.email} belongs to an account already.`)
    return 1
  }
  say(
    `${person.firstName} ${person.lastName} can log in as ${account.username} with this password, shown only now:\n\n  ${password}\n`,
  )
  say('Have it changed at the first log-in ("Forgot password" on the log-in page).')
  return 0
}
