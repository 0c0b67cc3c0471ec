import { ROLE_NAMES, ROLES } from '#contract/access.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import { findAccountByName } from '../features/account/account.repository.ts'
import { giveRole } from '../features/console/give-role.ts'
import { listTerms } from '../features/console/officer.repository.ts'
import { tellOfFactor } from '../features/console/factors.ts'
import { firstTerm } from '../features/console/officer.rules.ts'
import { forgetSecondFactor } from '../features/console/second-factor.repository.ts'
import { writeAudit } from '../platform/audit.repository.ts'
import type { Tools } from './tools.ts'

/**
 * `officers list`, `officers appoint NAME [ROLE]` and `officers forget-app NAME`. Roles are given in the console; appointing is for a site where nobody can,
 * since every president's term is over or it was made before there were roles.
 */
export async function officers([action = 'list', name, role]: readonly string[], tools: Tools): Promise<number> {
  if (action === 'list') return list(tools)
  if (action === 'appoint' && name) return appoint(name, role ?? 'president', tools)
  if (action === 'forget-app' && name) return forgetApp(name, tools)
  tools.say('Say "officers list", "officers appoint NAME [ROLE]" or "officers forget-app NAME".')
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
      ? 'Nobody holds a role. "create-officer" makes an account for a president, "officers appoint NAME" a president of a member.'
      : `${terms.length} in all.`,
  )
  return 0
}

async function appoint(name: string, wanted: string, { config, database: { db }, clock, say }: Tools): Promise<number> {
  const role = ROLES.find((known) => known === wanted)
  if (!role) {
    say(`There is no role "${wanted}". There are: ${ROLES.join(', ')}.`)
    return 2
  }
  const account = await findAccountByName(db, name)
  if (!account || account.deactivatedBy !== null) {
    say(`Nobody with an open account is called ${name}.`)
    return 1
  }
  const now = clock.now()
  const term = firstTerm(now, config.timeZone)
  await db
    .transaction()
    .execute((tx) => giveRole(tx, { accountId: account.id, role, ...term, givenBy: 'webmaster' }, now))
  say(
    `${account.firstName} ${account.lastName} is ${ROLE_NAMES[role].toLowerCase()} until ${term.endsOn}; a letter says how to open the console.`,
  )
  return 0
}

async function forgetApp(name: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const account = await findAccountByName(db, name)
  if (!account) {
    say(`Nobody is called ${name}.`)
    return 1
  }
  const now = clock.now()
  const isForgotten = await db.transaction().execute(async (tx) => {
    const had = await forgetSecondFactor(tx, account.id)
    if (had) {
      await writeAudit(tx, { actor: 'webmaster', action: 'second-factor.forgotten', subjectId: account.id }, now)
      await tellOfFactor(tx, account.id, { kind: 'forgotten' }, now)
    }
    return had
  })
  say(
    isForgotten
      ? `${account.firstName} ${account.lastName} has no passkeys, authenticator app and recovery codes any more, and sets up new ones at the next visit to /console. Make sure, by voice, that it was they who asked.`
      : `${account.firstName} ${account.lastName} has neither passkeys nor an app.`,
  )
  return isForgotten ? 0 : 1
}
