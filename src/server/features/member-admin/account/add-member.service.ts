import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { addMember, getMemberForm } from '#contract/console-member-account.ts'
import type { MemberColumn } from '#contract/console-import.ts'
import { dayOf } from '#contract/dates.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { findAccount, findAccountByName, nameKey } from '../account/account.repository.ts'
import { listEndsAt } from '../account/deletion.repository.ts'
import { hashPassword } from '../auth/passwords.ts'
import { insertComplimentaryTerm } from './complimentary.repository.ts'
import type { ImportInvitations } from './import-invitation.ts'
import { findKnownPeople } from './known-people.repository.ts'
import { levelsByKey, listLevels, type Level } from './level.repository.ts'
import { judgeRow, MEMBER_DIED } from './member-import.rules.ts'
import { findLikelyDuplicates } from './merge.repository.ts'
import { readMemberRows, type MemberRow } from './member-rows.rules.ts'
import { findCurrentMembership } from './membership.repository.ts'
import type { SettlementService } from './settlement.service.ts'
import { takeOver } from './take-over.ts'
import { noonOf } from './term-days.rules.ts'

type Wanted = BodyOf<typeof addMember>

/** Whoever adds: an officer with what they are allowed, or the webmaster. */
interface By {
  accountId: string
  mayRecordPayments: boolean
}

export interface AddMemberService {
  form(by: Omit<By, 'accountId'>): Promise<ReplyOf<typeof getMemberForm>>
  /**
   * Makes one account with its term, as an import does with one row. Resolves with its id.
   * @throws Problem INVALID_INPUT, also for an address that somebody has and a name that somebody has; NOT_ALLOWED for a payment without the role for it
   */
  add(by: By, wanted: Wanted): Promise<string>
}

const DAY_MS = 86_400_000

export function createAddMemberService({
  db,
  clock,
  timeZone,
  settlements,
  invitations,
  graceMs,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  settlements: Pick<SettlementService, 'recordFirst'>
  invitations: ImportInvitations
  graceMs(): number
  wakeOutbox(): void
}): AddMemberService {
  /** The same reading and the same verdict as for a row of an import. */
  async function judge(wanted: Wanted, levels: ReadonlyMap<string, Level>): Promise<MemberRow> {
    const { email, firstName, lastName, levelKey, startedOn } = wanted
    const level = levels.get(levelKey)
    if (!level) throw fieldProblem('levelKey', 'Please choose a level')
    const endsOn = level.isRecurring ? (wanted.endsOn ?? '') : ''
    if (level.isRecurring && endsOn === '') throw fieldProblem('endsOn', 'Please enter the last day')
    const [reading] = readMemberRows(
      [
        { line: 1, cells: [...COLUMNS] },
        { line: 2, cells: [email, firstName, lastName, levelKey, startedOn, endsOn] },
      ],
      levels,
    )
    if (!reading) throw new Error('a row was not read')
    const username = 'row' in reading ? reading.row.username : ''
    const known = await findKnownPeople(
      db,
      { emails: [email], usernames: [username] },
      { timeZone, graceMs: graceMs() },
    )
    const holder = await findAccountByName(db, email)
    if (holder && nameKey(holder.email) === nameKey(email)) {
      const closed = holder.deactivatedBy === null ? '' : ' The account is disabled.'
      throw fieldProblem('email', `${holder.firstName} ${holder.lastName} has an account with this address.${closed}`)
    }
    // Who left has given the address back: whoever comes with it is new.
    const verdict = judgeRow(reading, { ...known, atAddress: () => [] })
    if (verdict.kind === 'wrong') {
      const [fault] = verdict.faults
      throw fieldProblem(FIELDS[fault?.column ?? 'email'] ?? 'email', `${fault?.sentence} ${fault?.cure}`)
    }
    if (!('row' in reading)) throw new Error('a row without a fault was not read')
    return reading.row
  }

  async function requireNewPerson({ firstName, lastName, email, isSomebodyElse }: Wanted): Promise<void> {
    if (isSomebodyElse) return
    if ((await listEndsAt(db, nameKey(email))).includes('deceased')) throw fieldProblem('isSomebodyElse', MEMBER_DIED)
    const likely = await findLikelyDuplicates(db, { id: '', firstName, lastName, email })
    const who: string[] = []
    for (const [id, reasons] of likely) {
      const account = await findAccount(db, id)
      if (account) who.push(`${account.firstName} ${account.lastName}, ${account.email} (${reasons.join(', ')})`)
    }
    if (who.length === 0) return
    throw fieldProblem('isSomebodyElse', `This may be somebody who has an account: ${who.join('; ')}.`)
  }

  async function pay(tx: Tx, by: By, wanted: Wanted, term: { accountId: string; level: Level; endsAt: number | null }) {
    const { paidBy, reference = '', amount = 0, paidOn = '', reason = '' } = wanted
    const { accountId, level, endsAt } = term
    const now = clock.now()
    if (paidBy !== 'free') {
      const paid = { method: paidBy, reference, amount, paidAt: noonOf(paidOn) }
      return settlements.recordFirst(tx, { accountId, actor: by.accountId, level, endsAt }, paid)
    }
    // What costs nothing anyway is nobody's gift.
    if (level.unitAmount === 0) return
    const membership = await findCurrentMembership(tx, accountId)
    await insertComplimentaryTerm(tx, {
      id: newId(now),
      accountId,
      membershipId: membership?.id ?? '',
      levelKey: level.key,
      endsAt,
      reason,
      givenBy: by.accountId,
      givenAt: now,
    })
  }

  return {
    async form({ mayRecordPayments }) {
      const levels = await listLevels(db)
      return {
        levels: levels.map(({ key, name, isRecurring, unitAmount, interval, intervalCount }) => ({
          key,
          name,
          unitAmount,
          isLifetime: !isRecurring,
          interval: interval ?? null,
          intervalCount: intervalCount ?? 1,
        })),
        today: dayOf(clock.now(), timeZone),
        mayRecordPayments,
      }
    },

    async add(by, wanted) {
      const { paidBy, paidOn, reason, invites } = wanted
      if (paidBy !== 'free' && !by.mayRecordPayments) throw new Problem('NOT_ALLOWED')
      const levels = await levelsByKey(db)
      const row = await judge(wanted, levels)
      const level = levels.get(row.level)
      if (!level) throw fieldProblem('levelKey', 'Please choose a level')
      if (paidBy === 'free' && level.unitAmount > 0 && !reason)
        throw fieldProblem('reason', 'Please give a reason for the audit log')
      if (paidOn !== undefined && noonOf(paidOn) > clock.now() + DAY_MS) {
        throw fieldProblem('paidOn', 'This day is still to come')
      }
      await requireNewPerson(wanted)
      // Of a password nobody knows: its owner chooses one.
      const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
      const now = clock.now()
      const id = await db.transaction().execute(async (tx) => {
        const told = { action: 'member.added', paidBy, ...(reason && { reason }) } as const
        const batch = { batch: newId(now), actor: by.accountId, now, told }
        const accountId = await takeOver(tx, { row, level, passwordHash }, batch)
        if (!accountId) throw fieldProblem('email', 'Somebody got an account with this address a moment ago.')
        const endsAt = row.endsOn === null ? null : noonOf(row.endsOn)
        await pay(tx, by, wanted, { accountId, level, endsAt })
        if (invites) await invitations.invite(tx, accountId, now, 'added')
        return accountId
      })
      wakeOutbox()
      return id
    },
  }
}

const COLUMNS = ['email', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn'] as const

/** Where the form shows what is wrong with a column. */
const FIELDS: Partial<Record<MemberColumn, string>> = {
  email: 'email',
  username: 'email',
  firstName: 'firstName',
  lastName: 'lastName',
  level: 'levelKey',
  startedOn: 'startedOn',
  endsOn: 'endsOn',
}
