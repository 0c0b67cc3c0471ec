import type { AppContext } from '#server/app-context.ts'
import { randomBytes } from 'node:crypto'
import type { addMember, getMemberForm } from '#contract/console/member-account.ts'
import type { ImportColumn } from '#contract/console/import.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findAccount, findAccountByLogin } from '#server/features/accounts/account.queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { listAccountEndsByEmail } from '#server/features/my-account/deletion/deletion.queries.ts'
import { hashPassword } from '#server/features/auth/password-hash.service.ts'
import { insertComplimentaryTerm } from '#server/features/memberships/payments/complimentary.commands.ts'
import type { ImportInvitations } from '../import/import-invitation.service.ts'
import { findExistingAccounts } from '../import/existing-accounts.repository.ts'
import { levelsByKey, listLevels, type Level } from '#server/features/levels/level.queries.ts'
import { validateRow, MEMBER_DECEASED } from '../import/member-import.rules.ts'
import { findLikelyDuplicates } from '../merge/merge.repository.ts'
import { parseMemberRows, type ImportedMemberRow } from '../import/member-rows.rules.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import type { ManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import { createImportedMember } from '../import/apply-import-row.service.ts'
import { requirePaidAt } from '#server/features/memberships/payments/paid-on.service.ts'
import { noonUtc } from '#server/features/memberships/term-days.rules.ts'

type Wanted = BodyOf<typeof addMember>

/** The actor: an officer with their permissions, or the webmaster. */
interface By {
  accountId: string
  mayRecordPayments: boolean
}

export function createAddMemberService(
  { db, cache, clock, timeZone, graceMs, wakeOutbox }: AppContext,
  {
    manualPayments,
    invitations,
  }: {
    manualPayments: Pick<ManualPayments, 'recordFirstPayment'>
    invitations: ImportInvitations
  },
) {
  /** Validates the form like one row of an import. */
  async function judge(wanted: Wanted, levels: ReadonlyMap<string, Level>): Promise<ImportedMemberRow> {
    const { email, firstName, lastName, levelKey, startedOn } = wanted
    const level = levels.get(levelKey)
    if (!level) throw fieldProblem('levelKey', 'Please choose a level')
    const endsOn = level.isRecurring ? (wanted.endsOn ?? '') : ''
    if (level.isRecurring && endsOn === '') throw fieldProblem('endsOn', 'Please enter the last day')
    const [reading] = parseMemberRows(
      [
        { line: 1, cells: [...COLUMNS] },
        { line: 2, cells: [email, firstName, lastName, levelKey, startedOn, endsOn] },
      ],
      levels,
    )
    if (!reading) throw new Error('a row was not read')
    const username = 'row' in reading ? reading.row.username : ''
    const known = await findExistingAccounts(
      db,
      { emails: [email], usernames: [username] },
      { timeZone, graceMs: graceMs() },
    )
    const existing = await findAccountByLogin(db, email)
    if (existing && nameKey(existing.email) === nameKey(email)) {
      const closed = existing.deactivatedBy === null ? '' : ' The account is disabled.'
      throw fieldProblem(
        'email',
        `${existing.firstName} ${existing.lastName} has an account with this address.${closed}`,
      )
    }
    // Deleted accounts release their address, so it may belong to a new person.
    const verdict = validateRow(reading, { ...known, atAddress: () => [] })
    if (verdict.kind === 'wrong') {
      const [fault] = verdict.faults
      throw fieldProblem(FIELDS[fault?.column ?? 'email'] ?? 'email', `${fault?.sentence} ${fault?.cure}`)
    }
    if (!('row' in reading)) throw new Error('a row without a fault was not read')
    return reading.row
  }

  async function requireNewPerson({ firstName, lastName, email, isSomebodyElse }: Wanted): Promise<void> {
    if (isSomebodyElse) return
    if ((await listAccountEndsByEmail(db, nameKey(email))).includes('deceased'))
      throw fieldProblem('isSomebodyElse', MEMBER_DECEASED)
    const likely = await findLikelyDuplicates(
      db,
      { id: '', firstName, lastName, email },
      cache.content().credentialKinds,
    )
    const matches: string[] = []
    for (const [id, reasons] of likely) {
      const account = await findAccount(db, id)
      if (account) matches.push(`${account.firstName} ${account.lastName}, ${account.email} (${reasons.join(', ')})`)
    }
    if (matches.length === 0) return
    throw fieldProblem('isSomebodyElse', `This may be someone who already has an account: ${matches.join('; ')}.`)
  }

  /** @throws Problem as `add` */
  async function check({ mayRecordPayments }: Pick<By, 'mayRecordPayments'>, wanted: Wanted) {
    const { paidBy, paidOn, reason } = wanted
    if (paidBy !== 'free' && !mayRecordPayments) throw new Problem('NOT_ALLOWED')
    const levels = await levelsByKey(db)
    const row = await judge(wanted, levels)
    const level = levels.get(row.level)
    if (!level) throw fieldProblem('levelKey', 'Please choose a level')
    if (paidBy === 'free' && level.unitAmount > 0 && !reason)
      throw fieldProblem('reason', 'Please give a reason for the audit log')
    if (paidOn !== undefined) requirePaidAt(paidOn, clock.now())
    await requireNewPerson(wanted)
    return { row, level }
  }

  async function pay(tx: Tx, by: By, wanted: Wanted, term: { accountId: string; level: Level; endsAt: number | null }) {
    const { paidBy, reference = '', amount = 0, paidOn = '', reason = '' } = wanted
    const { accountId, level, endsAt } = term
    const now = clock.now()
    if (paidBy !== 'free') {
      const paid = { method: paidBy, reference, amount, paidAt: requirePaidAt(paidOn, now) }
      return manualPayments.recordFirstPayment(tx, { accountId, actor: by.accountId, level, endsAt }, paid)
    }
    // A free level needs no complimentary term.
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
    async form({ mayRecordPayments }: Omit<By, 'accountId'>): Promise<ReplyOf<typeof getMemberForm>> {
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

    check,

    /**
     * Creates an account with its term, like an import of one row. Returns its id.
     * @throws Problem INVALID_INPUT, also for an address or username in use; NOT_ALLOWED for a payment without the permission
     */
    async add(by: By, wanted: Wanted): Promise<string> {
      const { paidBy, reason, invites } = wanted
      const { row, level } = await check(by, wanted)
      // A random password; the member chooses their own.
      const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
      const now = clock.now()
      const id = await db.transaction().execute(async (tx) => {
        const audit = { action: 'member.added', paidBy, ...(reason && { reason }) } as const
        const batch = { batch: newId(now), actor: by.accountId, now, audit }
        const accountId = await createImportedMember(tx, { row, level, passwordHash }, batch)
        if (!accountId) throw fieldProblem('email', 'An account with this address was just created.')
        const endsAt = row.endsOn === null ? null : noonUtc(row.endsOn)
        await pay(tx, by, wanted, { accountId, level, endsAt })
        if (invites) await invitations.invite(tx, accountId, now, 'added')
        return accountId
      })
      wakeOutbox()
      return id
    },
  }
}

export type AddMemberService = ReturnType<typeof createAddMemberService>

const COLUMNS = ['email', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn'] as const

/** The form field that shows a column's error. */
const FIELDS: Partial<Record<ImportColumn, string>> = {
  email: 'email',
  username: 'email',
  firstName: 'firstName',
  lastName: 'lastName',
  level: 'levelKey',
  startedOn: 'startedOn',
  endsOn: 'endsOn',
}
