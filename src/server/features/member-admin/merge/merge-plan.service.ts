import type { Kysely } from 'kysely'
import { formatLongDate } from '#contract/dates.ts'
import type { Duplicate, MergePlan, MergeSide, Whose } from '#contract/console-merge.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { findAccount } from '../account/account.repository.ts'
import { listLevels } from './level.repository.ts'
import { searchWords } from './member-search.rules.ts'
import { EVERYBODY, findMemberRows, type MemberRow } from './member-list.repository.ts'
import { versionOf, type AtAddresses, type Pair, type PairReader, type Side } from './merge-pair.ts'
import { countOwned, findByNpi, findLikelyDuplicates, mergeable } from './merge.repository.ts'
import { moveWords } from './merge.rules.ts'

export interface MergePlanService {
  /** Who may be the same person, or whom a search finds. @throws Problem NOT_FOUND */
  duplicates(accountId: string, words: string | undefined): Promise<Duplicate[]>
  /** @throws Problem NOT_FOUND */
  plan(by: Officer, keptId: string, mergedId: string): Promise<MergePlan>
}

const MOST_FOUND = 20

/** Whom an officer may want to merge, and what would come of it; changes nothing. */
export function createMergePlanService({
  db,
  clock,
  graceMs,
  pairs,
}: {
  db: Kysely<Schema>
  clock: Clock
  graceMs(): number
  pairs: PairReader
}): MergePlanService {
  async function describeSide({ account, membership }: Side): Promise<MergeSide> {
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

  async function rowsOf(ids: readonly string[]): Promise<MemberRow[]> {
    const page = { now: clock.now(), graceMs: graceMs(), order: 'name', descending: false, limit: 1 } as const
    const found = await Promise.all(ids.map(async (id) => findMemberRows(db, { ...EVERYBODY, id }, page)))
    return found.flat()
  }

  return {
    async duplicates(accountId, words) {
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      if (words === undefined) {
        const likely = await findLikelyDuplicates(db, account)
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
      const filter = { ...EVERYBODY, words: searchWords(words) }
      const byNpi = /^\d{10}$/.test(words) ? await rowsOf(await findByNpi(db, words)) : []
      const found = [...byNpi, ...(await findMemberRows(db, filter, page))]
      return mergeable(found, accountId).map((row) => toDuplicate(row, []))
    },

    async plan(by, keptId, mergedId) {
      const pair = await pairs.readPair(db, keptId, mergedId)
      const { kept, merged } = pair
      const names = { winner: kept.account.email, loser: merged.account.email }
      const { at, letters } = await pairs.readAddresses(db, names)
      const counts = {
        ...(await countOwned(db, mergedId)),
        rsvp: at.rsvps.length,
        sponsorship: at.sponsorships.length,
        subscriber: letters === 'moves' ? 1 : 0,
      }
      return {
        kept: await describeSide(kept),
        merged: await describeSide(merged),
        moves: moveWords(counts),
        notes: notesOf(pair, {
          survivor: pairs.survivorOf(pair),
          at,
          letters,
          ...names,
        }),
        obstacles: [...(await pairs.refusalsOf(db, pair, by.accountId)), ...pairs.obstaclesOf(pair)],
        version: versionOf(pair),
      }
    },
  }
}

function notesOf(
  { kept, merged }: Pair,
  known: AtAddresses & { survivor: Whose | null; winner: string; loser: string },
): string[] {
  const { survivor, at, letters, winner, loser } = known
  const notes = [
    `Nobody can log in with ${loser} afterwards. Log-in is with ${winner} and the password of the account that stays. Its address can be changed on the page of the member, and the new address has to confirm that.`,
    'Both accounts are signed out everywhere, open links stop working, and both addresses get an email about the merge.',
  ]
  if (kept.membership && merged.membership) {
    const whose = survivor === 'merged' ? 'the other account' : 'this account'
    notes.push(
      `The membership of ${whose} is the one that holds; the other one ends today and stays as history. Their terms are not added up.`,
    )
  }
  if (at.answeredTwice.length > 0) {
    notes.push(
      `Both addresses have answered the same event (${at.answeredTwice.length}). Each answer holds its seats: cancel one under RSVPs.`,
    )
  }
  if (letters === 'ends') notes.push(`Both addresses get the newsletter. From now on only ${winner} does.`)
  if (letters === 'stays' && at.loserSubscription?.state === 'subscribed') {
    notes.push(`The newsletter goes on to ${loser}: ${winner} has asked not to get it, or letters to it came back.`)
  }
  notes.push('Messages that were written to us, and the history, stay where they are.')
  return notes
}

function toDuplicate(row: MemberRow, reasons: string[]): Duplicate {
  const { id, firstName, lastName, email, state, joinedAt } = row
  return { id, name: `${firstName} ${lastName}`, email, state, joinedAt: iso(joinedAt), reasons }
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
