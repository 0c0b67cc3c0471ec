import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { assignRole } from '#server/features/officers/give-role.commands.ts'
import { listTerms } from '#server/features/officers/officer.queries.ts'
import { queueFactorChangedEmail } from '#server/features/officers/factors/factors.service.ts'
import { firstTerm } from '#server/features/officers/officer.rules.ts'
import { deleteSecondFactors } from '#server/features/officers/factors/second-factor.commands.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Tools } from '../tools.ts'

/**
 * `officers list`, `officers appoint NAME [ROLE]` and `officers forget-app NAME`. Roles are normally assigned in the console; `appoint` is for a site where no
 * one can, because every president's term has ended or the site predates roles.
 */
export async function officers([action = 'list', name, role]: readonly string[], tools: Tools): Promise<number> {
  if (action === 'list') return list(tools)
  if (action === 'appoint' && name) return appoint(name, role ?? 'president', tools)
  if (action === 'forget-app' && name) return forgetApp(name, tools)
  tools.say('Usage: officers [list] | officers appoint NAME [ROLE] | officers forget-app NAME')
  return 2
}

async function list({ config, database: { db }, clock, say }: Tools): Promise<number> {
  const today = dayOf(clock.now(), config.timeZone)
  const terms = (await listTerms(db, addDays(today, -1))).filter(({ endedAt }) => endedAt === null)
  for (const { role, startsOn, endsOn, firstName, lastName, email, hasSecondFactor } of terms) {
    const app = hasSecondFactor ? '' : '  no passkey or authenticator app yet'
    say(`${ROLE_NAMES[role].padEnd(18)}  ${startsOn} to ${endsOn}  ${firstName} ${lastName} <${email}>${app}`)
  }
  say(
    terms.length === 0
      ? 'No one has a role. "create-officer" creates an account for a president, "officers appoint NAME" makes a member president.'
      : `${terms.length} in total.`,
  )
  return 0
}

async function appoint(
  name: string,
  roleName: string,
  { config, database: { db }, clock, say }: Tools,
): Promise<number> {
  const role = ROLES.find((known) => known === roleName)
  if (!role) {
    say(`There is no role "${roleName}". Roles: ${ROLES.join(', ')}.`)
    return 2
  }
  const account = await findAccountByLogin(db, name)
  if (!account || account.deactivatedBy !== null) {
    say(`No open account is named ${name}.`)
    return 1
  }
  const now = clock.now()
  const term = firstTerm(now, config.timeZone)
  await db
    .transaction()
    .execute((tx) => assignRole(tx, { accountId: account.id, role, ...term, givenBy: 'webmaster' }, now))
  say(
    `${account.firstName} ${account.lastName} is ${ROLE_NAMES[role].toLowerCase()} until ${term.endsOn}. An email explains how to open the console.`,
  )
  return 0
}

async function forgetApp(name: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const account = await findAccountByLogin(db, name)
  if (!account) {
    say(`There is no account ${name}.`)
    return 1
  }
  const now = clock.now()
  const isRemoved = await db.transaction().execute(async (tx) => {
    const had = await deleteSecondFactors(tx, account.id)
    if (had) {
      await writeAudit(tx, { actor: 'webmaster', action: 'second-factor.forgotten', subjectId: account.id }, now)
      await queueFactorChangedEmail(tx, account.id, { kind: 'forgotten' }, now)
    }
    return had
  })
  say(
    isRemoved
      ? `${account.firstName} ${account.lastName} no longer has passkeys, an authenticator app or recovery codes, and sets up new ones at the next visit to /console. Confirm by phone that they requested this.`
      : `${account.firstName} ${account.lastName} has neither passkeys nor an authenticator app.`,
  )
  return isRemoved ? 0 : 1
}
