import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MEMBER_STATES } from '#contract/console/member-list.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { countMessages } from '#server/features/contact/inbox.repository.ts'
import { countMemberRows, ALL_MEMBERS, type MemberFilter } from '#server/features/member-admin/member-list.queries.ts'
import { countDueCredentials } from '#server/features/credentials/credential-recheck.repository.ts'
import { listBenefits } from '#server/features/sponsors/benefits.rules.ts'
import { listPaidSponsorships } from '#server/features/sponsors/orders/sponsorship.repository.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import type { Database } from '#server/db/database.ts'
import { openPreparedDatabase } from '#tests/support/prepared-database.ts'
import { testEngine } from '#tests/support/test-database.ts'
import { NOW } from '#tests/support/use-test-database.ts'
import { SAMPLE_PROFILE } from '#server/config/profiles.ts'
import { seedEmptyDatabase } from './seed.service.ts'

const DAY_MS = 86_400_000
const SEED_WITHIN_MS = 2_000
/** A busy machine takes long to start PGlite, which `npm test` does in two processes at once. */
const BUSY_MS = 180_000
const timeZone = 'America/New_York'
const graceMs = 14 * DAY_MS

// One for all tests, which only read: seeding takes longer than they do.
let database: Database
const db = () => database.db
const seed = ({ db: empty }: Database) =>
  seedEmptyDatabase(empty, {
    profile: SAMPLE_PROFILE,
    now: NOW,
    timeZone,
    samples: { more: true, makeSubscription: async () => null },
  })

beforeAll(async () => {
  database = await openPreparedDatabase({ filling: 'tables', now: NOW })
  await seed(database)
}, BUSY_MS)
afterAll(() => database.close())

const members = (filter: Partial<MemberFilter>) =>
  countMemberRows(db(), { ...ALL_MEMBERS, ...filter }, { now: NOW, graceMs })

type Table =
  | 'directoryListing'
  | 'recordValue'
  | 'account'
  | 'credential'
  | 'membership'
  | 'payment'
  | 'sponsorship'
  | 'accountEnd'
  | 'complimentaryTerm'

async function rows(table: Table, where: string): Promise<number> {
  const row = await db()
    .selectFrom(table)
    .select(sql<number | string>`count(*)`.as('count'))
    .where(sql<boolean>`${sql.raw(where)}`)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

const IN_USE: [string, Table, string][] = [
  ['annual members', 'membership', `level_key = 'annual_member'`],
  ['life members', 'membership', `level_key = 'life_member'`],
  ['residents', 'membership', `level_key = 'resident_fellow'`],
  ['students', 'membership', `level_key = 'medical_student'`],
  ['associates', 'membership', `level_key = 'associate_member'`],
  ['renewals canceled before the end of the term', 'membership', `cancel_at_period_end = 1 and ends_at > ${NOW}`],
  ['declined cards that are charged again', 'membership', `next_attempt_at > ${NOW}`],
  ['declined cards that were given up', 'membership', `gave_up_at < ${NOW}`],
  ['memberships lapsed for years', 'membership', `ends_at < ${NOW - 700 * DAY_MS}`],
  ['memberships lapsed recently', 'membership', `ends_at between ${NOW - 60 * DAY_MS} and ${NOW}`],
  ['complimentary terms', 'complimentaryTerm', `ends_at > ${NOW}`],
  ['accounts ended at the member’s request', 'accountEnd', `ending = 'request'`],
  ['accounts ended after a death', 'accountEnd', `ending = 'deceased'`],
  ['credentials awaiting review', 'credential', `status = 'waiting'`],
  ['approved credentials', 'credential', `status = 'approved'`],
  ['declined credentials', 'credential', `status = 'declined'`],
  ['questions about credentials', 'credential', `asked_at is not null and answered_at is null`],
  ['checks', 'payment', `reference like 'by-hand:%:cheque:%'`],
  ['cash', 'payment', `reference like 'by-hand:%:cash:%'`],
  ['full refunds', 'payment', `amount_refunded = amount and amount > 0`],
  ['partial refunds', 'payment', `amount_refunded > 0 and amount_refunded < amount`],
  ['open disputes', 'payment', `dispute_state = 'open'`],
  ['disputes that were won', 'payment', `dispute_state = 'won'`],
  ['disputes that were lost', 'payment', `dispute_state = 'lost'`],
  ['voided payments', 'payment', `voided_at is not null`],
  ['values that everyone sees', 'recordValue', `field_key = 'specialty' and audience = 'everyone'`],
  ['members in the directory', 'directoryListing', `in_members = 1 and in_public = 0`],
  ['members on the public page', 'directoryListing', `in_public = 1`],
  ['expired orders of sponsors', 'sponsorship', `state = 'expired'`],
  ['failed orders of sponsors', 'sponsorship', `state = 'failed'`],
  ['refunded sponsorships', 'sponsorship', `amount_refunded > 0`],
]

describe('a site in use', () => {
  test('has members in every state', async () => {
    const counts = await Promise.all(
      MEMBER_STATES.map(async (state) => [state, await members({ states: [state] })] as const),
    )
    expect(counts.filter(([, count]) => count === 0)).toEqual([])
  })

  test('has everything that a list, a badge or a chart shows', async () => {
    const counts = await Promise.all(
      IN_USE.map(async ([what, table, where]) => [what, await rows(table, where)] as const),
    )
    expect(counts.filter(([, count]) => count === 0)).toEqual([])
  })

  test('has enough of everything that its lists have pages and its figures are not small', async () => {
    expect(await members({})).toBeGreaterThanOrEqual(120)
    expect(await members({ endsBefore: NOW + 45 * DAY_MS })).toBeGreaterThanOrEqual(10)
    expect(await rows('payment', `paid_at > ${NOW - 730 * DAY_MS}`)).toBeGreaterThanOrEqual(40)
    expect(await rows('payment', `receipt_sent_at is null`)).toBe(0)
    const { open, answered, spam } = await countMessages(db(), 'unknown')
    expect(open + answered + spam).toBeGreaterThanOrEqual(30)
    expect(Math.min(open, answered, spam)).toBeGreaterThanOrEqual(3)
    const benefits = (await listPaidSponsorships(db())).flatMap((sponsorship) => listBenefits(sponsorship))
    expect(benefits.length).toBeGreaterThanOrEqual(60)
    expect(benefits.filter(({ keptAt }) => keptAt === null).length).toBeGreaterThanOrEqual(10)
    expect(
      await countDueCredentials(db(), { now: NOW, graceMs, today: dayOf(NOW, timeZone), recheckMonths: 12 }),
    ).toBeGreaterThan(0)
  })

  test('has no row that breaks an invariant', async () => {
    const tools = { db: db(), now: NOW, secrets: createSecrets('a secret of this test alone'), mediaDirectory: null }
    const found = await Promise.all(
      invariants.map(async ({ name, findViolations }) => [name, await findViolations(tools)] as const),
    )
    expect(found.filter(([, ids]) => ids.length > 0)).toEqual([])
  })

  test('is seeded only once', async () => {
    const before = await members({})
    expect(await seed(database)).toBe(false)
    expect(await members({})).toBe(before)
  })

  // The processor's time, which other work on the machine hardly changes; the first run also compiles.
  test.runIf(testEngine === 'sqlite')('is seeded fast', async () => {
    const seededInMs: number[] = []
    for (let time = 0; time < 2; time += 1) {
      const empty = await openPreparedDatabase({ filling: 'tables', now: NOW })
      const before = process.cpuUsage()
      await seed(empty)
      const { user, system } = process.cpuUsage(before)
      seededInMs.push((user + system) / 1_000)
      await empty.close()
    }
    expect(Math.min(...seededInMs)).toBeLessThan(SEED_WITHIN_MS)
  })
})

test('credentials of samples have numbers that no one was given', async () => {
  const numbers = await db().selectFrom('credential').select('npi').where('npi', '!=', '').execute()
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers.filter(({ npi }) => !npi.startsWith('2'))).toEqual([])
})
