import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storyteller, type Story } from '#tests/support/orders/story.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { testEngine } from '#tests/support/test-database.ts'

/**
 * A few in each `npm test`, more in `npm run test:all`; `ORDER_STORIES=10000` for the full count; `ORDER_SEED` to repeat a run. Two calls meet in the same order only on PostgreSQL: SQLite runs
 * one transaction at a time.
 */
const [ON_SQLITE, ON_POSTGRES] = process.env['TEST_ALL'] === '1' ? [100, 40] : [12, 6]
const STORIES = Number(process.env['ORDER_STORIES'] ?? (testEngine === 'sqlite' ? ON_SQLITE : ON_POSTGRES))
const SEED = Number(process.env['ORDER_SEED'] ?? 7)
/** The provider lists all its objects to the reconciler, so a long run uses several applications. */
const STORIES_PER_APP = 40
const MAX_MS_PER_STORY = 3_000
/** For the application's start on a busy machine. */
const MAX_MS_TO_START = 120_000

const move = fc.record({
  at: fc.nat(5),
  what: fc.constantFrom(
    ...([
      'event',
      'event',
      'event-twice',
      'all-at-once',
      'return',
      'return-and-event',
      'reconcile',
      'job',
      'wait',
    ] as const),
  ),
  pick: fc.nat(60),
})

const story: fc.Arbitrary<Story> = fc.record({
  kind: fc.constantFrom('newcomer', 'member', 'sponsor', 'guest'),
  creation: fc.oneof(
    { weight: 58, arbitrary: fc.constant('ok' as const) },
    { weight: 1, arbitrary: fc.constant('lostReply' as const) },
    { weight: 1, arbitrary: fc.constant('error' as const) },
  ),
  retries: fc.boolean(),
  ending: fc.constantFrom('paid', 'paid', 'paid', 'paid', 'expired', 'left'),
  money: fc.array(
    fc.constantFrom('refund-part', 'refund-rest', 'refund-fails', 'dispute-opens', 'dispute-is-won', 'dispute-is-lost'),
    { maxLength: 4 },
  ),
  own: fc.option(
    fc.record({
      act: fc.constantFrom('close-account', 'cancel-event', 'abandon', 'switch', 'again'),
      isAfterPayment: fc.boolean(),
      isProviderDown: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    }),
  ),
  moves: fc.array(move, { maxLength: 8 }),
})

test(
  `${STORIES} random lives of orders end as the orderly delivery of the same facts does`,
  async () => {
    const orderly = new Map<string, unknown>()
    for (let told = 0; told < STORIES; told += STORIES_PER_APP) {
      await using app = await createTestApp({ environment: { RATE_LIMITS: 'off' } })
      await app.standins.control({ webhooks: 'drop' })
      const { compare } = storyteller(app)
      await fc.assert(
        fc.asyncProperty(story, async (one) => {
          const { facts, end, expected } = await compare(one, orderly)
          expect({ facts, end }).toEqual({ facts, end: expected })
        }),
        { seed: SEED + told, numRuns: Math.min(STORIES_PER_APP, STORIES - told) },
      )
      const dead = await app.database.db
        .selectFrom('outbox')
        .select(['kind', 'lastError'])
        .where('deadAt', 'is not', null)
        .execute()
      expect(dead).toEqual([])
    }
    expect(orderly.size).toBeGreaterThan(STORIES / 10)
  },
  MAX_MS_TO_START + STORIES * MAX_MS_PER_STORY,
)
