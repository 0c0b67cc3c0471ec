import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { emailField, firstNameField, lastNameField, usernameField } from '#contract/fields.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addTerm } from '#server/features/officers/officer.commands.ts'
import { firstTerm } from '#server/features/officers/officer.rules.ts'
import type { Tools } from '../tools.ts'

const officer = z.object({
  email: emailField,
  username: usernameField,
  firstName: firstNameField,
  lastName: lastNameField,
})

// Without characters that look alike: the password is read from a screen and typed once.
const PASSWORD_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_LENGTH = 16

/**
 * Creates an officer's account with a one-year term as president, who can assign every role in the console. The initial password is generated here, shown once
 * and stored only as a hash.
 */
export async function createOfficer(
  [email, username, firstName, lastName]: readonly string[],
  { config, database: { db }, clock, say }: Tools,
): Promise<number> {
  const parsed = z.safeParse(officer, { email, username, firstName, lastName })
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) say(`${path.join('.')}: ${message}`)
    return 2
  }
  const person = parsed.data
  for (const name of [person.email, person.username]) {
    if (await findAccountByLogin(db, name)) {
      say(`${name} already belongs to an account.`)
      return 1
    }
  }
  const password = Array.from(
    { length: PASSWORD_LENGTH },
    () => PASSWORD_CHARACTERS[randomInt(PASSWORD_CHARACTERS.length)],
  ).join('')
  const passwordHash = await hashPassword(password)
  const now = clock.now()
  const id = newId(now)
  // A username taken by a concurrent registration gets digits appended: the output shows the actual one.
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
    say(`${person.email} already belongs to an account.`)
    return 1
  }
  say(
    `${person.firstName} ${person.lastName} can log in as ${account.username} with this password, which is shown only once:\n\n  ${password}\n`,
  )
  say('Have them change it at the first log-in ("Forgot password" on the log-in page).')
  return 0
}
