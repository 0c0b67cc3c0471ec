import { withApp } from '../with-app.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { hasManager, permissionsOn } from '#server/features/officers/role-permissions.queries.ts'
import { kindOf } from '#contract/credentials/credential-kinds.ts'
import { credentialSummary } from '#contract/credentials/shown-answers.ts'
import { readCredentialKinds } from '#server/features/content-store/credential-kinds.queries.ts'
import { listCredentials } from '#server/features/credentials/credential.queries.ts'
import {
  enableAccount,
  findMember,
  listAudit,
  listMembers,
  readGraceMs,
  type Member,
} from '#server/features/member-admin/member.repository.ts'
import { disableMember } from '#server/features/member-admin/member-actions.service.ts'
import { membershipStatus, rightsEndAt, willRenew } from '#server/features/memberships/membership.rules.ts'
import { listReminders } from '#server/features/memberships/reminders/reminder.queries.ts'
import { listPayments } from '#server/features/memberships/payments/payment.queries.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { exportMembers, importMembers, undoImport } from './members-csv.ts'
import { addMember, changeMemberEmail, endMember, withdrawMemberEmail } from './members-account.ts'
import { reviewMembers, decideMember } from './members-review.ts'
import type { Tools } from '../tools.ts'
import { forgotPassword } from '#server/features/auth/auth.effects.ts'

type Action = (args: readonly string[], tools: Tools) => Promise<number>

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
  approve: (text, tools) => decideMember('approved', text, tools),
  decline: (text, tools) => decideMember('declined', text, tools),
}

/** `members list|show|add|email|end|…`: see the actions above. */
export async function members([action = 'list', ...args]: readonly string[], tools: Tools): Promise<number> {
  const run = actions[action]
  if (run) return run(args, tools)
  tools.say(`Usage: members ${Object.keys(actions).join('|')}`)
  return 2
}

async function list([status]: readonly string[], { database: { db }, clock, config, say }: Tools): Promise<number> {
  const graceMs = await readGraceMs(db)
  let count = 0
  for (const member of await listMembers(db)) {
    const state = describeStatus(member, clock.now(), graceMs)
    if (status && state.toLowerCase() !== status.toLowerCase()) continue
    const { account, membership } = member
    const ends = membership && rightsEndAt(membership, graceMs)
    const until = ends ? `  until ${formatLongDate(ends, config.timeZone)}` : ''
    say(
      `${state.padEnd(10)}  ${account.lastName}, ${account.firstName}  <${account.email}>  ${membership?.levelKey ?? ''}${until}`,
    )
    count++
  }
  say(`${count} ${count === 1 ? 'person' : 'people'}.`)
  return 0
}

/** Prints everything known about one member, oldest first. */
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
  const kinds = await readCredentialKinds(db)
  for (const credential of await listCredentials(db, account.id)) {
    const { kind, status, evidence } = credential
    const what = credentialSummary(kindOf(kinds, kind), credential).join(', ')
    say(`Credentials ${what}, ${status}${evidence ? `: ${evidence}` : ''}`)
  }
  for (const [at, text] of await readHistory(account.id, db)) say(`${new Date(at).toISOString()}  ${text}`)
  return 0
}

/** Payments, membership reminders with their delivery, and audit entries, in order. */
async function readHistory(accountId: string, db: Tools['database']['db']): Promise<[number, string][]> {
  const payments = (await listPayments(db, accountId)).map((payment): [number, string] => {
    const { paidAt, receiptNumber, purpose, levelKey, amount, currency, amountRefunded, dispute } = payment
    const refunded = amountRefunded > 0 ? `, ${formatMoney(amountRefunded, currency)} refunded` : ''
    return [
      paidAt,
      `paid ${formatMoney(amount, currency)} (${purpose}, ${levelKey}), ${receiptNumber}${refunded}${dispute ? `, dispute ${dispute}` : ''}`,
    ]
  })
  const reminders = (await listReminders(db, accountId)).map((reminder): [number, string] => {
    const { kind, state, sentTo, messageId, queuedAt, closedAt } = reminder
    return [closedAt ?? queuedAt, `reminder ${kind} ${state}${sentTo ? ` to ${sentTo} as ${messageId}` : ''}`]
  })
  const audit = (await listAudit(db, accountId)).map(({ at, actor, action, details }): [number, string] => [
    at,
    `${action} by ${actor === accountId ? 'themselves' : actor}${details === '{}' ? '' : ` ${details}`}`,
  ])
  return [...payments, ...reminders, ...audit].sort(([a], [b]) => a - b)
}

async function disable([name]: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const member = await requireMember(name, tools)
  if (!member) return 1
  const { account } = member
  if (account.deactivatedBy) {
    say(`It was already deactivated by ${account.deactivatedBy}.`)
    return 1
  }
  const { db } = database
  const today = dayOf(clock.now(), config.timeZone)
  const manages = (await permissionsOn(db, account.id, today)).includes('officers.change')
  if (manages && !(await hasManager(db, today, { without: account.id }))) {
    say('No one else can manage the officers. First appoint another president with "officers appoint NAME".')
    return 1
  }
  const isStopped = await disableMember(db, { accountId: account.id, actor: 'webmaster' }, clock.now())
  const held = await withApp(tools, ({ services }) => services.heldWork.holdScheduled(account.id, 'webmaster'))
  say(
    `${account.email} can no longer log in.${isStopped ? ' They will not be charged again; the membership ends with the paid period.' : ''}`,
  )
  for (const { title, path } of held) say(`On hold, because this account had scheduled it: ${title} (${path})`)
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
      ? `${account.email} can log in again. They can resume a stopped renewal under Manage billing.`
      : 'No officer disabled this account.',
  )
  return isEnabled ? 0 : 1
}

/** Sends the "Forgot password" email, whose link is valid for an hour: only the account's owner learns the password. */
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
  await addToOutbox(database.db, { effect: forgotPassword, payload: { email: account.email } }, now)
  await writeAudit(database.db, { actor: 'webmaster', action: 'account.reset_sent', subjectId: account.id }, now)
  say(`The running site will email ${account.email} a link to choose a new password.`)
  return 0
}

async function requireMember(name: string | undefined, { database: { db }, say }: Tools): Promise<Member | null> {
  const member = name ? await findMember(db, name) : null
  if (!member) say(name ? `There is no member ${name}.` : 'NAME is missing: an email address, a username or an id.')
  return member
}

function describeStatus({ account, membership }: Member, now: number, graceMs: number): string {
  if (account.deactivatedBy === 'deceased') return 'DECEASED'
  if (account.deactivatedBy) return 'DISABLED'
  return membership ? membershipStatus(membership, now, graceMs) : 'NONE'
}
