import type { AppContext } from '#server/app-context.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { Duplicate, MergePlan, MergeSide, MergeSource } from '#contract/console/merge.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import { listEntries, listMovingIds } from '#server/features/member-record/record-value.queries.ts'
import { parseSearchTerms } from '../member-search.rules.ts'
import { ALL_MEMBERS } from '../member-list.queries.ts'
import { findMemberRows, type MemberListRow } from '../member-list.repository.ts'
import {
  pairVersion,
  type AddressRecords,
  type MergePair,
  type MergePairReader,
  type MergeSideSnapshot,
} from './merge-pair.queries.ts'
import { countOwnedRows, findLikelyDuplicates, filterMergeable } from './merge.repository.ts'
import { describeMovedRows } from './merge.rules.ts'

const MOST_FOUND = 20

/** Finds duplicates and previews a merge; read-only. */
export function createMergePlanService(
  { db, cache, clock, graceMs }: AppContext,
  {
    pairs,
  }: {
    pairs: MergePairReader
  },
) {
  async function describeSide({ account, membership }: MergeSideSnapshot): Promise<MergeSide> {
    const [row] = await rowsOf([account.id])
    const levels = new Map((await listLevels(db)).map(({ key, name }) => [key, name]))
    const level = membership && (levels.get(membership.levelKey) ?? membership.levelKey)
    const until = row?.endsAt ? `until ${formatLongDate(iso(row.endsAt))}` : 'for life'
    return {
      id: account.id,
      email: account.email,
      username: account.username,
      name: { first: account.firstName, last: account.lastName },
      state: row?.state ?? 'NONE',
      joinedAt: iso(account.createdAt),
      membership: level ? `${level} ${until}` : 'none',
    }
  }

  async function rowsOf(ids: readonly string[]): Promise<MemberListRow[]> {
    const page = { now: clock.now(), graceMs: graceMs(), order: 'name', descending: false, limit: 1 } as const
    const found = await Promise.all(ids.map(async (id) => findMemberRows(db, { ...ALL_MEMBERS, ids: [id] }, page)))
    return found.flat()
  }

  return {
    /** Likely duplicates, or search results. @throws Problem NOT_FOUND */
    async duplicates(accountId: string, searchText: string | undefined): Promise<Duplicate[]> {
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      if (searchText === undefined) {
        const likely = await findLikelyDuplicates(db, account, cache.content().credentialKinds)
        const rows = await rowsOf([...likely.keys()])
        return rows.map((row) => toDuplicate(row, likely.get(row.id) ?? []))
      }
      const page = {
        now: clock.now(),
        graceMs: graceMs(),
        order: 'name',
        descending: false,
        limit: MOST_FOUND,
      } as const
      const filter = { ...ALL_MEMBERS, searchTerms: parseSearchTerms(searchText) }
      return filterMergeable(await findMemberRows(db, filter, page), accountId).map((row) => toDuplicate(row, []))
    },

    /** @throws Problem NOT_FOUND */
    async plan(by: Officer, keptId: string, mergedId: string): Promise<MergePlan> {
      const pair = await pairs.readPair(db, keptId, mergedId)
      const { kept, merged } = pair
      const names = { winner: kept.account.email, loser: merged.account.email }
      const { at, newsletter } = await pairs.readAddresses(db, names)
      const moving = await listMovingIds(db, { from: mergedId, to: keptId })
      const hasStayingValues = (await listEntries(db, mergedId)).length > moving.length
      const counts = {
        ...(await countOwnedRows(db, mergedId)),
        record_value: moving.length,
        rsvp: at.rsvps.length,
        sponsorship: at.sponsorships.length,
        subscriber: newsletter === 'moves' ? 1 : 0,
      }
      return {
        kept: await describeSide(kept),
        merged: await describeSide(merged),
        moves: describeMovedRows(counts),
        notes: notesOf(pair, {
          survivor: pairs.findSurvivor(pair),
          at,
          newsletter,
          hasStayingValues,
          ...names,
        }),
        obstacles: [...(await pairs.findRefusals(db, pair, by.accountId)), ...pairs.findObstacles(pair)],
        version: pairVersion(pair),
      }
    },
  }
}

export type MergePlanService = ReturnType<typeof createMergePlanService>

function notesOf(
  { kept, merged }: MergePair,
  known: AddressRecords & { survivor: MergeSource | null; hasStayingValues: boolean; winner: string; loser: string },
): string[] {
  const { survivor, at, newsletter, hasStayingValues, winner, loser } = known
  const notes = [
    `Afterwards, ${loser} can no longer be used to log in. The member logs in with ${winner} and the password of the remaining account. Its address can be changed on the member page and must be confirmed from the new address.`,
    'Both accounts are signed out everywhere, open links stop working, and both addresses are emailed about the merge.',
  ]
  if (kept.membership && merged.membership) {
    const whose = survivor === 'merged' ? 'the other account' : 'this account'
    notes.push(
      `The membership of ${whose} is kept; the other one ends today and stays in the history. Their terms are not combined.`,
    )
  }
  if (hasStayingValues)
    notes.push('Where both accounts have a value in the same member field, the one of this account is kept.')
  if (at.duplicateRsvpEvents.length > 0) {
    notes.push(
      `Both addresses have an RSVP for the same event (${at.duplicateRsvpEvents.length}). Each RSVP keeps its seats: cancel one under RSVPs.`,
    )
  }
  if (newsletter === 'ends') notes.push(`Both addresses receive the newsletter. After the merge only ${winner} does.`)
  if (newsletter === 'stays' && at.loserSubscription?.state === 'subscribed') {
    notes.push(`The newsletter continues to ${loser}: ${winner} has unsubscribed, or emails to it bounced.`)
  }
  notes.push('Messages sent to us and the history are not moved.')
  return notes
}

function toDuplicate(row: MemberListRow, reasons: string[]): Duplicate {
  const { id, firstName, lastName, email, state, joinedAt } = row
  return { id, name: `${firstName} ${lastName}`, email, state, joinedAt: iso(joinedAt), reasons }
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
