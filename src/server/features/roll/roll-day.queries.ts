import type { RollRule } from '#contract/console/people/roll.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db } from '#server/db/database.ts'
import { CLOSING, gaveRights, OPENING, wasOpen, type AccountEvent } from './roll-day.rules.ts'

const DAY_MS = 86_400_000

export interface EntitledMember {
  accountId: string
  firstName: string
  lastName: string
  levelKey: string
}

/** Who was entitled at a past instant by a rule: the same whenever it is asked, since it reads what happened, not what is now. */
export async function listEntitled(
  db: Db,
  { at, rule, graceMs }: { at: number; rule: RollRule; graceMs: number },
): Promise<EntitledMember[]> {
  const extraMs = rule.graceDays * DAY_MS
  const spans = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.accountId')
    .select([
      'membership.accountId',
      'membership.levelKey',
      'membership.kind',
      'membership.startedAt',
      'membership.endsAt',
      'membership.endedAt',
      'membership.stripeStatus',
      'membership.cancelAtPeriodEnd',
      'membership.pastDueSince',
      'membership.nextAttemptAt',
      'membership.gaveUpAt',
      'account.firstName',
      'account.lastName',
      'account.deactivatedBy',
    ])
    .where('membership.startedAt', '<=', at)
    .where((eb) => eb.or([eb('membership.endedAt', 'is', null), eb('membership.endedAt', '>', at - extraMs)]))
    .orderBy('membership.startedAt')
    .execute()
  // The newest span of a person counts, also if its level is not of the rule.
  const newest = new Map(
    spans.filter((span) => gaveRights(span, at, { graceMs, extraMs })).map((span) => [span.accountId, span]),
  )
  const members = [...newest.values()].filter(({ levelKey }) => rule.levels.includes(levelKey))
  const events = await listAccountEvents(
    db,
    members.map(({ accountId }) => accountId),
  )
  const lost = rule.includesLost ? new Set<string>() : await listLostAt(db, at)
  return members
    .filter(({ accountId, deactivatedBy }) => {
      const isOpen = wasOpen(events.get(accountId) ?? [], at, deactivatedBy === null)
      return isOpen && !lost.has(accountId)
    })
    .map(({ accountId, firstName, lastName, levelKey }) => ({ accountId, firstName, lastName, levelKey }))
}

/** What closed and opened accounts, by account, oldest first. */
async function listAccountEvents(db: Db, accountIds: readonly string[]): Promise<Map<string, AccountEvent[]>> {
  const rows = await queryInChunks(accountIds, (some) =>
    db
      .selectFrom('audit')
      .select(['subjectId', 'at', 'action'])
      .where('subjectId', 'in', some)
      .where('action', 'in', [...CLOSING, ...OPENING])
      .orderBy('at')
      .orderBy('id')
      .execute(),
  )
  return Map.groupBy(rows, ({ subjectId }) => subjectId)
}

async function listLostAt(db: Db, at: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('personState')
    .select('accountId')
    .where('state', '=', 'lost')
    .where('decidedAt', '<=', at)
    .where((eb) => eb.or([eb('undoneAt', 'is', null), eb('undoneAt', '>', at)]))
    .execute()
  return new Set(rows.map(({ accountId }) => accountId))
}
