import { createHash } from 'node:crypto'
import type { AppContext } from '#server/app-context.ts'
import type {
  answerRollObjection,
  freezeRoll,
  getRoll,
  listRolls,
  Roll,
  RollDetail,
} from '#contract/console/people/roll.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { BodyOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { recordLines } from '#contract/member-record/record-values.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { csvFile, csvText, writeLongCsv } from '#server/lib/csv/csv.ts'
import { newId } from '#server/lib/ids.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { findLevel, levelsByKey } from '#server/features/levels/level.queries.ts'
import type { MemberAudiences } from '#server/features/member-email/audience.service.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { nameOfOfficer } from '#server/features/officers/approvals/approval.emails.ts'
import { listEntitled, type EntitledMember } from './roll-day.queries.ts'
import { rollRows, ruleKeyOf } from './roll-list.rules.ts'
import {
  countEntries,
  findRoll,
  findRollByKey,
  insertEntries,
  insertRoll,
  isOnRoll,
  listEntries,
  listObjections,
  listStoredRolls,
  lockRoll,
  readSealedList,
  removeEntry,
  saveObjectionAnswer,
  saveSeal,
  type NewEntry,
  type StoredRoll,
} from './roll.repository.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** Rolls in the console. Methods on one throw Problem NOT_FOUND. */
export function createRollService(
  { db, clock, timeZone, graceMs, cache }: AppContext,
  { audiences, guard }: { audiences: Pick<MemberAudiences, 'list' | 'listPostalAddresses'>; guard: ActAuthorizer },
) {
  const today = () => dayOf(clock.now(), timeZone)

  async function requireRoll(handle: Db, id: string): Promise<StoredRoll> {
    const roll = await findRoll(handle, id)
    if (!roll) throw new Problem('NOT_FOUND')
    return roll
  }

  /** @throws Problem ROLL_SEALED */
  async function lockOpen(tx: Tx, id: string): Promise<StoredRoll> {
    await lockRoll(tx, id)
    const roll = await requireRoll(tx, id)
    if (roll.sealedAt !== null) throw new Problem('ROLL_SEALED')
    return roll
  }

  async function describe(handle: Db, roll: StoredRoll): Promise<Roll> {
    const { id, name, recordDay, rule, frozenAt, frozenBy, objectionsUntil, sealedAt, sealedBy, digest } = roll
    const [levels, objections] = [await levelsByKey(handle), await listObjections(handle, id)]
    const answered = objections.filter(({ answeredAt }) => answeredAt !== null).length
    return {
      id,
      name,
      recordDay,
      rule,
      levelNames: rule.levels.map((key) => levels.get(key)?.name ?? key),
      frozenAt: iso(frozenAt),
      frozenBy: await nameOfOfficer(handle, frozenBy),
      objectionsUntil,
      isOpen: sealedAt === null && objectionsUntil >= today(),
      people: await countEntries(handle, id),
      objections: { open: objections.length - answered, answered },
      sealed:
        sealedAt === null || sealedBy === null || digest === null
          ? null
          : { at: iso(sealedAt), by: await nameOfOfficer(handle, sealedBy), digest },
    }
  }

  /** How each is reached now, and the postal address that officers may see. */
  async function entriesOf(handle: Db, members: readonly EntitledMember[]): Promise<NewEntry[]> {
    const reach = new Map(
      (await audiences.list(handle, 'notice', { filter: {} })).map((one) => [one.accountId, one.way]),
    )
    const addresses = await audiences.listPostalAddresses(
      handle,
      members.map(({ accountId, levelKey }) => ({ id: accountId, levelKey })),
    )
    const levels = await levelsByKey(handle)
    return members.map(({ accountId, firstName, lastName, levelKey }) => {
      const way = reach.get(accountId)
      const address = addresses.get(accountId)
      return {
        accountId,
        firstName,
        lastName,
        level: levels.get(levelKey)?.name ?? levelKey,
        way: way === 'email' || way === 'post' ? way : 'none',
        address: address ? recordLines(address).join(', ') : '',
      }
    })
  }

  async function change(
    tx: Tx,
    by: Officer,
    {
      roll,
      objectionId,
      change: wanted,
    }: {
      roll: StoredRoll
      objectionId: string
      change: { what: 'add' | 'remove'; accountId: string }
    },
  ): Promise<void> {
    const { what, accountId } = wanted
    await guard.require(tx, { act: 'answerRollObjection', by: by.accountId, on: accountId })
    if (what === 'remove') {
      if (!(await removeEntry(tx, { rollId: roll.id, accountId, objectionId }))) throw new Problem('CHANGED_MEANWHILE')
      return
    }
    const account = await findAccount(tx, accountId)
    if (!account) throw new Problem('NOT_FOUND')
    // A deleted account has no name.
    if (account.deactivatedBy === 'self') throw new Problem('ACCOUNT_CLOSED', { message: 'This account was deleted.' })
    if (await isOnRoll(tx, roll.id, accountId)) throw new Problem('CHANGED_MEANWHILE')
    const levelKey = (await findCurrentMembership(tx, accountId))?.levelKey ?? roll.rule.levels[0] ?? ''
    const { firstName, lastName } = account
    const entries = await entriesOf(tx, [{ accountId, firstName, lastName, levelKey }])
    await insertEntries(tx, roll.id, entries, { now: clock.now(), addedBy: objectionId })
  }

  async function listOf(handle: Db, id: string): Promise<string> {
    const entries = await listEntries(handle, id, { page: null, withRemoved: false })
    return csvText(await writeLongCsv(rollRows(entries)))
  }

  return {
    async list(by: Officer): Promise<ReplyOf<typeof listRolls>> {
      const rolls = await listStoredRolls(db)
      const levels = await levelsByKey(db)
      return {
        rolls: await Promise.all(rolls.map((roll) => describe(db, roll))),
        levels: [...levels.values()].map(({ key, name }) => ({ key, name })),
        today: today(),
        mayFreeze: by.permissions.includes('members.notify'),
      }
    },

    /** Returns the roll of this day and rule if there is one. @throws Problem INVALID_INPUT for a record day that is not over, or a last day for objections that is past */
    async freeze(by: Officer, { name, recordDay, objectionsUntil, rule }: BodyOf<typeof freezeRoll>): Promise<Roll> {
      if (recordDay >= today()) throw fieldProblem('recordDay', 'The record day must be over')
      if (objectionsUntil < today()) throw fieldProblem('objectionsUntil', 'This day is past')
      for (const key of rule.levels)
        if (!(await findLevel(db, key))) throw fieldProblem('rule.levels', 'Please choose a level')
      return db.transaction().execute(async (tx) => {
        const now = clock.now()
        const levels = [...new Set(rule.levels)]
        const ruleKey = ruleKeyOf(recordDay, rule)
        const id = newId(now)
        const frozen = { frozenAt: now, frozenBy: by.accountId, objectionsUntil }
        if (!(await insertRoll(tx, { id, name, recordDay, rule: { ...rule, levels }, ruleKey, ...frozen }))) {
          const existing = await findRollByKey(tx, ruleKey)
          if (!existing) throw new Problem('CHANGED_MEANWHILE')
          return describe(tx, existing)
        }
        const at = startOfDay(addDays(recordDay, 1), timeZone) - 1
        const members = await listEntitled(tx, { at, rule, graceMs: graceMs() })
        await insertEntries(tx, id, await entriesOf(tx, members), { now, addedBy: null })
        const details = { after: { name, recordDay, ...rule, people: members.length } }
        await writeAudit(tx, { actor: by.accountId, action: 'roll.frozen', subjectId: id, details }, now)
        return describe(tx, await requireRoll(tx, id))
      })
    },

    async read(by: Officer, id: string, { page = '1', size }: QueryOf<typeof getRoll>): Promise<RollDetail> {
      const roll = await requireRoll(db, id)
      const shown = { page: { number: Number(page), size: Number(size) }, withRemoved: true }
      const entries = await listEntries(db, id, shown)
      const objections = await listObjections(db, id)
      return {
        roll: await describe(db, roll),
        entries: entries.map(({ accountId, firstName, lastName, level, way, removedBy, addedBy }) => ({
          accountId,
          name: `${lastName}, ${firstName}`,
          level,
          way,
          change: removedBy !== null ? 'removed' : addedBy !== null ? 'added' : null,
        })),
        total: await countEntries(db, id, { withRemoved: true }),
        objections: await Promise.all(
          objections.map(async (objection) => ({
            id: objection.id,
            accountId: objection.accountId,
            name: await nameOfOfficer(db, objection.accountId),
            isOnRoll: await isOnRoll(db, id, objection.accountId),
            text: objection.text,
            madeAt: iso(objection.madeAt),
            answer: objection.answer,
            answeredBy: objection.answeredBy === null ? null : await nameOfOfficer(db, objection.answeredBy),
          })),
        ),
        mayChange: by.permissions.includes('members.notify'),
      }
    },

    /** @throws Problem ROLL_SEALED, OWN_ACCOUNT, ACCOUNT_CLOSED, CHANGED_MEANWHILE when it is answered, or the person is (not) on the roll already */
    async answer(
      by: Officer,
      { id, objection: objectionId }: { id: string; objection: string },
      { answer, change: wanted }: BodyOf<typeof answerRollObjection>,
    ): Promise<Roll> {
      return db.transaction().execute(async (tx) => {
        const now = clock.now()
        const roll = await lockOpen(tx, id)
        const objection = (await listObjections(tx, id)).find((one) => one.id === objectionId)
        if (!objection) throw new Problem('NOT_FOUND')
        await guard.require(tx, { act: 'answerRollObjection', by: by.accountId, on: objection.accountId })
        const saved = { answer, answeredBy: by.accountId, answeredAt: now }
        if (!(await saveObjectionAnswer(tx, objectionId, saved))) throw new Problem('CHANGED_MEANWHILE')
        if (wanted) await change(tx, by, { roll, objectionId, change: wanted })
        const details = { reason: answer, ...(wanted && { after: { [wanted.what]: wanted.accountId } }) }
        await writeAudit(tx, { actor: by.accountId, action: 'roll.objection_answered', subjectId: id, details }, now)
        return describe(tx, roll)
      })
    },

    /** @throws Problem ROLL_SEALED, OBJECTIONS_OPEN before the last day for objections is over, or while one waits */
    async seal(by: Officer, id: string): Promise<Roll> {
      const sealed = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const roll = await lockOpen(tx, id)
        const waiting = (await listObjections(tx, id)).some(({ answeredAt }) => answeredAt === null)
        if (waiting || roll.objectionsUntil >= today()) throw new Problem('OBJECTIONS_OPEN')
        const list = await listOf(tx, id)
        const digest = rollDigest(list)
        await saveSeal(tx, id, { sealedAt: now, sealedBy: by.accountId, digest, list })
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'roll.sealed', subjectId: id, details: { after: { digest } } },
          now,
        )
        // A figure on the home page may count it.
        await incrementContentVersion(tx)
        return describe(tx, await requireRoll(tx, id))
      })
      await cache.refresh()
      return sealed
    },

    /** The sealed list, unchanged; before, the list as it is now. */
    async file(by: Officer, id: string): Promise<ServedFile> {
      const { recordDay, digest } = await requireRoll(db, id)
      const list = (await readSealedList(db, id)) ?? (await listOf(db, id))
      const details = { after: { digest: rollDigest(list), sealed: digest !== null } }
      await writeAudit(db, { actor: by.accountId, action: 'roll.exported', subjectId: id, details }, clock.now())
      return { filename: `roll-${recordDay}.csv`, content: csvFile(list) }
    },
  }
}

function rollDigest(list: string): string {
  return createHash('sha256').update(csvFile(list)).digest('hex')
}

export type RollService = ReturnType<typeof createRollService>
