import type { AppContext } from '#server/app-context.ts'
import { rollLimits, type OwnRoll, type readRoll } from '#contract/public/my-account/own-rolls.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import {
  countEntries,
  findRoll,
  insertObjection,
  isOnRoll,
  listEntries,
  listObjections,
  listStoredRolls,
  lockRoll,
  type StoredRoll,
} from './roll.repository.ts'

const NOT_ON_IT = 'Only members on this roll can read it. If you are missing from it, please object.'

/** Rolls as members see them while they are open to objections. */
export function createOwnRolls({ db, clock, timeZone }: AppContext) {
  const isOpen = ({ sealedAt, objectionsUntil }: StoredRoll) =>
    sealedAt === null && objectionsUntil >= dayOf(clock.now(), timeZone)

  async function requireOpen(handle: Db, id: string): Promise<StoredRoll> {
    const roll = await findRoll(handle, id)
    if (!roll || !isOpen(roll)) throw new Problem('NOT_FOUND')
    return roll
  }

  async function list(accountId: string): Promise<{ rolls: OwnRoll[] }> {
    const open = (await listStoredRolls(db)).filter(isOpen)
    const rolls = await Promise.all(
      open.map(async ({ id, name, recordDay, objectionsUntil }) => ({
        id,
        name,
        recordDay,
        objectionsUntil,
        isOnRoll: await isOnRoll(db, id, accountId),
        objections: (await listObjections(db, id))
          .filter((objection) => objection.accountId === accountId)
          .map(({ text, madeAt, answer }) => ({ text, madeAt: new Date(madeAt).toISOString(), answer })),
      })),
    )
    return { rolls }
  }

  return {
    list,

    /** @throws Problem NOT_FOUND unless it is open to objections, ACTIVE_MEMBERSHIP_REQUIRED for who is not on it */
    async read(accountId: string, id: string, page: number): Promise<ReplyOf<typeof readRoll>> {
      await requireOpen(db, id)
      if (!(await isOnRoll(db, id, accountId))) throw new Problem('ACTIVE_MEMBERSHIP_REQUIRED', { message: NOT_ON_IT })
      await writeAudit(
        db,
        { actor: accountId, action: 'roll.viewed', subjectId: id, details: { after: { page } } },
        clock.now(),
      )
      const size = rollLimits.perPage
      const entries = await listEntries(db, id, { page: { number: page, size }, withRemoved: false })
      return {
        people: entries.map(({ lastName, firstName, level }) => ({ name: `${lastName}, ${firstName}`, level })),
        total: await countEntries(db, id),
      }
    },

    /** Also by who is not on it, and thinks they should be. @throws Problem NOT_FOUND unless it is open to objections; RATE_LIMITED after many */
    async object(accountId: string, id: string, text: string): Promise<{ rolls: OwnRoll[] }> {
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        await lockRoll(tx, id)
        await requireOpen(tx, id)
        const own = (await listObjections(tx, id)).filter((objection) => objection.accountId === accountId)
        if (own.length >= MOST_OBJECTIONS) throw new Problem('RATE_LIMITED')
        await insertObjection(tx, { id: newId(now), rollId: id, accountId, text, madeAt: now })
        await writeAudit(tx, { actor: accountId, action: 'roll.objected', subjectId: id }, now)
      })
      return list(accountId)
    },
  }
}

export type OwnRolls = ReturnType<typeof createOwnRolls>

/** Of one member to one roll. */
const MOST_OBJECTIONS = 10
