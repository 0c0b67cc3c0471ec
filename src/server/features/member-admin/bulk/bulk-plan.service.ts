import type { AppContext } from '#server/app-context.ts'
import type { BulkAction, previewBulk } from '#contract/console/people/member-bulk.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Role } from '#contract/access.ts'
import { findQueuedKeys } from '#server/jobs/outbox.repository.ts'
import { listRoleHolders } from '#server/features/officers/officer.queries.ts'
import { memberFilter } from '../member-filter.rules.ts'
import { ALL_MEMBERS } from '../member-list.queries.ts'
import { findMemberRows, type MemberListRow } from '../member-list.repository.ts'
import { skipReason } from './bulk.rules.ts'

export interface PlannedMember {
  member: MemberListRow
  /** Why it is skipped; null if it is reached. */
  reason: string | null
}

/** Decides whom an action on many members reaches. */
export function createBulkPlan({ db, clock, timeZone, graceMs, cache }: AppContext) {
  /** The key under which an action emails a member at most once a day. */
  const emailKey = (action: BulkAction, accountId: string, at: number) =>
    `${action}:${accountId}:${dayOf(at, timeZone)}`

  async function plan(
    handle: Db,
    action: BulkAction,
    { officer, rows }: { officer: { accountId: string; roles: readonly Role[] }; rows: readonly MemberListRow[] },
  ): Promise<PlannedMember[]> {
    const ids = rows.map(({ id }) => id)
    const isEmail = action === 'renewal-link' || action === 'password-reset'
    const keys = isEmail ? ids.map((id) => emailKey(action, id, clock.now())) : []
    const used = new Set(await queryInChunks(keys, (some) => findQueuedKeys(handle, some)))
    const context = {
      officer,
      officers: await listRoleHolders(handle, dayOf(clock.now(), timeZone)),
      emailedToday: new Set(ids.filter((id) => used.has(emailKey(action, id, clock.now())))),
    }
    return rows.map((member) => ({ member, reason: skipReason(action, member, context) }))
  }

  const page = () => ({ now: clock.now(), graceMs: graceMs(), order: 'name' as const, descending: false })

  return {
    emailKey,

    /** Plans for the members that an officer selected. */
    async planSelection(
      officer: { accountId: string; roles: readonly Role[] },
      { action, selection }: Pick<BodyOf<typeof previewBulk>, 'action' | 'selection'>,
    ): Promise<PlannedMember[]> {
      const filter =
        'ids' in selection
          ? { ...ALL_MEMBERS, ids: [...new Set(selection.ids)] }
          : memberFilter(selection.filter, { now: clock.now(), timeZone, recordFields: cache.content().recordFields })
      return plan(db, action, { officer, rows: await findMemberRows(db, filter, page()) })
    },

    /** Plans again for these members, when their turn has come. */
    async planMembers(
      handle: Db,
      officer: { accountId: string; roles: readonly Role[] },
      { action, ids }: { action: BulkAction; ids: readonly string[] },
    ): Promise<PlannedMember[]> {
      return plan(handle, action, { officer, rows: await findMemberRows(handle, { ...ALL_MEMBERS, ids }, page()) })
    },
  }
}

export type BulkPlan = ReturnType<typeof createBulkPlan>
