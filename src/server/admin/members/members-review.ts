import { permissionsOf } from '#contract/access.ts'
import { dayOf, formatLongDate } from '#contract/dates.ts'
import { findAccount } from '../features/account/account.repository.ts'
import { rolesOn } from '../features/console/officer.repository.ts'
import { listWaitingCredentials } from '../features/membership/credential.repository.ts'
import { decide } from '../features/membership/credential.service.ts'
import { findMember } from '../features/membership/member.repository.ts'
import type { Tools } from './tools.ts'

/** `members review`: whose credentials wait for a decision, longest first, and where to look them up. */
export async function reviewMembers(
  _words: readonly string[],
  { database: { db }, config, say }: Tools,
): Promise<number> {
  const waiting = await listWaitingCredentials(db)
  for (const { accountId, kind, npi, licenceState, place, endsOn, givenAt } of waiting) {
    const account = await findAccount(db, accountId)
    const who = account ? `${account.firstName} ${account.lastName} <${account.email}>` : accountId
    const what = kind === 'licence' ? `NPI ${npi}  ${licenceState}` : `${kind} at ${place ?? ''} until ${endsOn ?? ''}`
    say(`${formatLongDate(givenAt, config.timeZone)}  ${what}  ${who}`)
  }
  say(
    waiting.length === 0
      ? 'Nobody waits.'
      : `${waiting.length} wait. Look the NPI up at https://npiregistry.cms.hhs.gov, then say "members approve EMAIL OFFICER "EVIDENCE"".`,
  )
  return 0
}

/** `members approve|decline EMAIL OFFICER "EVIDENCE"`: who decided, when and on what is kept; the member gets a letter. */
export async function decideMember(
  status: 'approved' | 'declined',
  [name, officerName, evidence]: readonly string[],
  { config, database: { db }, clock, say }: Tools,
): Promise<number> {
  if (!name || !officerName || !evidence?.trim()) {
    say(
      status === 'approved'
        ? 'Say "members approve EMAIL OFFICER "WHAT WAS LOOKED AT"".'
        : 'Say "members decline EMAIL OFFICER "THE REASON, AS THE MEMBER WILL READ IT"".',
    )
    return 2
  }
  const officer = await findMember(db, officerName)
  const roles = officer ? await rolesOn(db, officer.account.id, dayOf(clock.now(), config.timeZone)) : []
  if (!officer || !permissionsOf(roles).includes('credentials.decide')) {
    say(`${officerName} holds no role that decides about credentials today.`)
    return 1
  }
  const member = await findMember(db, name)
  if (!member?.credential) {
    say(member ? `${name} has given no credentials.` : `Nobody is known as ${name}.`)
    return 1
  }
  const decision = { status, officerId: officer.account.id, evidence: evidence.trim() }
  const isDecided = await decide(db, member.credential, decision, clock.now())
  say(
    isDecided
      ? `${status === 'approved' ? 'Approved' : 'Declined'}; a letter tells the member.`
      : 'It was decided before.',
  )
  return isDecided ? 0 : 1
}
