import { dayOf, formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { createHeldWork } from '../features/console/held-work.ts'
import { isManaged, permissionsOn } from '../features/console/role-permissions.ts'
import { listCredentials } from '../features/membership/credential.repository.ts'
import {
  enableAccount,
  findMember,
  listAudit,
  listMembers,
  readGraceMs,
  type Member,
} from '../features/membership/member.repository.ts'
import { disableMember } from '../features/membership/member-acts.service.ts'
import { membershipStatus, rightsEndAt, willRenew } from '../features/membership/membership.rules.ts'
import { listNotices } from '../features/membership/notice.repository.ts'
import { listPayments } from '../features/membership/payment.repository.ts'
import { writeAudit } from '../platform/audit.repository.ts'
import { addToOutbox } from '../platform/outbox.repository.ts'
import { exportMembers, importMembers, undoImport } from './members-csv.ts'
import { addMember, changeMemberEmail, endMember, withdrawMemberEmail } from './members-account.ts'
import { reviewMembers, decideMember } from './members-review.ts'
import type { Tools } from './tools.ts'

type Action = (words: readonly string[], tools: Tools) => Promise<number>

const actions: Record<string, Action> = {
  list,
  show,
  import: importMembers,
  undo: undoImport,
  export: exportMembers,
  disable,
  enable,
  reset,
  email: changeMemberEmail,
  'withdraw-email': withdrawMemberEmail,
  add: addMember,
  end: endMember,
  review: reviewMembers,
  approve: (words, tools) => decideMember('approved', words, tools),
  decline: (words, tools) => decideMember('declined', words, tools),
}

/** `members list|show|add|email|end|…`: see the actions above. */
export async function members([action = 'list', ...words]: readonly string[], tools: Tools): Promise<number> {
  const act = actions[action]
  if (act) return act(words, tools)
  tools.say(`Say "members ${Object.keys(actions).join('|')}".`)
  return 2
}

async function list([status]: readonly string[], { database: { db }, clock, config, say }: Tools): Promise<number> {
  const graceMs = await readGraceMs(db)
  let shown = 0
  for (const member of await listMembers(db)) {
    const state = stateOf(member, clock.now(), graceMs)
    if (status && state.toLowerCase() !== status.toLowerCase()) continue
    const { account, membership } = member
    const ends = membership && rightsEndAt(membership, graceMs)
    const until = ends ? `  until ${formatLongDate(ends, config.timeZone)}` : ''
    say(
      `${state.padEnd(10)}  ${account.lastName}, ${account.firstName}  <${account.email}>  ${membership?.levelKey ?? ''}${until}`,
    )
    shown++
  }
  say(`${shown} ${shown === 1 ? 'person' : 'people'}.`)
  return 0
}

/** Everything that is known of one person, oldest first. */
async function show([name]: readonly string[], tools: Tools): Promise<number> {
  const { database, clock, config, say } = tools
  const { db } = database
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { account, membership } = member
  const graceMs = await readGraceMs(db)
  const day = (instant: number) => formatLongDate(instant, config.timeZone)
  say(`${account.firstName} ${account.lastName} <${account.email}>, ${account.username}, ${account.id}`)
  say(
    `Account   since ${day(account.createdAt)}${account.deactivatedBy ? `, deactivated by ${account.deactivatedBy}` : ''}`,
  )
  if (membership) {
    const ends = rightsEndAt(membership, graceMs)
    const next = willRenew(membership) && membership.endsAt ? `, renews ${day(membership.endsAt)}` : ''
    say(
      `Membership ${membership.levelKey}, ${membershipStatus(membership, clock.now(), graceMs)}, since ${day(membership.startedAt)}${next}${ends ? `, until ${day(ends)}` : ''}`,
    )
  } else say('Membership none')
  for (const { kind, npi, licenceState, place, endsOn, status, evidence } of await listCredentials(db, account.id)) {
    const what = kind === 'licence' ? `NPI ${npi}, ${licenceState}` : `${kind} at ${place ?? ''} until ${endsOn ?? ''}`
    say(`Credentials ${what}, ${status}${evidence ? `: ${evidence}` : ''}`)
  }
  for (const [at, words] of await historyOf(account.id, db)) say(`${new Date(at).toISOString()}  ${words}`)
  return 0
}

/** What happened, in order: payments, notices with their proof, and everything written down. */
async function historyOf(accountId: string, db: Tools['database']['db']): Promise<[number, string][]> {
  const payments = (await listPayments(db, accountId)).map((payment): [number, string] => {
    const { paidAt, receiptNumber, purpose, levelKey, amount, currency, amountRefunded, dispute } = payment
    const returned = amountRefunded > 0 ? `, ${formatMoney(amountRefunded, currency)} returned` : ''
    return [
      paidAt,
      `paid ${formatMoney(amount, currency)} (${purpose}, ${levelKey}), ${receiptNumber}${returned}${dispute ? `, dispute ${dispute}` : ''}`,
    ]
  })
  const notices = (await listNotices(db, accountId)).map((notice): [number, string] => {
    const { kind, state, sentTo, messageId, queuedAt, settledAt } = notice
    return [settledAt ?? queuedAt, `notice ${kind} ${state}${sentTo ? ` to ${sentTo} as ${messageId}` : ''}`]
  })
  const audit = (await listAudit(db, accountId)).map(({ at, actor, action, details }): [number, string] => [
    at,
    `${action} by ${actor === accountId ? 'themselves' : actor}${details === '{}' ? '' : ` ${details}`}`,
  ])
  return [...payments, ...notices, ...audit].sort(([a], [b]) => a - b)
}

async function disable([name]: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { account } = member
  if (account.deactivatedBy) {
    say(`It was deactivated before, by ${account.deactivatedBy}.`)
    return 1
  }
  const { db } = database
  const today = dayOf(clock.now(), config.timeZone)
  const manages = (await permissionsOn(db, account.id, today)).includes('officers.change')
  if (manages && !(await isManaged(db, today, { without: account.id }))) {
    say('Nobody else can manage the officers. Make another president first, with "officers appoint NAME".')
    return 1
  }
  const isStopped = await disableMember(db, { accountId: account.id, actor: 'webmaster' }, clock.now())
  const held = await createHeldWork({ db, clock, timeZone: config.timeZone }).hold(account.id, 'webmaster')
  say(
    `${account.email} cannot log in any more.${isStopped ? ' Nothing more will be charged; the paid period runs out.' : ''}`,
  )
  for (const { title, path } of held) say(`Held, since it was scheduled by this account: ${title} (${path})`)
  return 0
}

async function enable([name]: readonly string[], tools: Tools): Promise<number> {
  const { database, clock, say } = tools
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { account } = member
  const now = clock.now()
  const isEnabled = await enableAccount(database.db, account.id, now)
  if (isEnabled)
    await writeAudit(database.db, { actor: 'webmaster', action: 'account.enabled', subjectId: account.id }, now)
  say(
    isEnabled
      ? `${account.email} can log in again. A renewal that was stopped is resumed under Manage billing.`
      : 'No officer had disabled it.',
  )
  return isEnabled ? 0 : 1
}

/** The letter of "Forgot password", with its link of one hour: nobody but its owner learns a password. */
async function reset([name]: readonly string[], tools: Tools): Promise<number> {
  const { database, clock, say } = tools
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { account } = member
  if (account.deactivatedBy) {
    say('It is deactivated. Enable it first.')
    return 1
  }
  const now = clock.now()
  await addToOutbox(database.db, { kind: 'auth.forgot_password', payload: { email: account.email } }, now)
  await writeAudit(database.db, { actor: 'webmaster', action: 'account.reset_sent', subjectId: account.id }, now)
  say(`A link to choose a new password goes to ${account.email}; the running site sends it.`)
  return 0
}

async function requireMember(name: string | undefined, { database: { db }, say }: Tools): Promise<Member | null> {
  const member = name ? await findMember(db, name) : null
  if (!member) say(name ? `Nobody is known as ${name}.` : 'Say whose: an e-mail address, a username or an id.')
  return member
}

function stateOf({ account, membership }: Member, now: number, graceMs: number): string {
  if (account.deactivatedBy) return 'DISABLED'
  return membership ? membershipStatus(membership, now, graceMs) : 'NONE'
}
