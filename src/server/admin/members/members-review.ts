import { permissionsOf } from '#contract/access.ts'
import { kindOf } from '#contract/credentials/credential-kinds.ts'
import { credentialSummary } from '#contract/credentials/shown-answers.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { rolesOn } from '#server/features/officers/officer.queries.ts'
import { readCredentialKinds } from '#server/features/content-store/credential-kinds.queries.ts'
import { listWaitingCredentials } from '#server/features/credentials/credential.repository.ts'
import { applyCredentialDecision } from '#server/features/credentials/credential.service.ts'
import { findMember } from '#server/features/member-admin/member.repository.ts'
import type { Tools } from '../tools.ts'

/** `members review`: lists credentials waiting for a decision, oldest first, with where to look them up. */
export async function reviewMembers(
  _words: readonly string[],
  { database: { db }, config, say }: Tools,
): Promise<number> {
  const waiting = await listWaitingCredentials(db)
  const kinds = await readCredentialKinds(db)
  for (const credential of waiting) {
    const { accountId, kind, givenAt } = credential
    const account = await findAccount(db, accountId)
    const who = account ? `${account.firstName} ${account.lastName} <${account.email}>` : accountId
    const what = credentialSummary(kindOf(kinds, kind), credential).join('  ')
    say(`${formatLongDate(givenAt, config.timeZone)}  ${what}  ${who}`)
  }
  say(
    waiting.length === 0
      ? 'No credentials to review.'
      : `${waiting.length} to review. Look them up, then run: members approve EMAIL OFFICER "EVIDENCE"`,
  )
  return 0
}

/** `members approve|decline EMAIL OFFICER "EVIDENCE"`: records who decided, when and on what evidence; the member is emailed. */
export async function decideMember(
  status: 'approved' | 'declined',
  [name, officerName, evidence]: readonly string[],
  { config, database: { db }, clock, say }: Tools,
): Promise<number> {
  if (!name || !officerName || !evidence?.trim()) {
    say(
      status === 'approved'
        ? 'Usage: members approve EMAIL OFFICER "EVIDENCE"'
        : 'Usage: members decline EMAIL OFFICER "REASON THE MEMBER WILL READ"',
    )
    return 2
  }
  const officer = await findMember(db, officerName)
  const roles = officer ? await rolesOn(db, officer.account.id, dayOf(clock.now(), config.timeZone)) : []
  if (!officer || !permissionsOf(roles).includes('credentials.decide')) {
    say(`${officerName} currently has no role that decides about credentials.`)
    return 1
  }
  const member = await findMember(db, name)
  if (!member?.credential) {
    say(member ? `${name} has not submitted credentials.` : `There is no member ${name}.`)
    return 1
  }
  const decision = { status, officerId: officer.account.id, evidence: evidence.trim() }
  const isDecided = await applyCredentialDecision(db, member.credential, decision, clock.now())
  say(
    isDecided
      ? `${status === 'approved' ? 'Approved' : 'Declined'}. The member will be emailed.`
      : 'It was already decided.',
  )
  return isDecided ? 0 : 1
}
