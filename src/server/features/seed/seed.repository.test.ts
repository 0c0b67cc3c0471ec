import { expect, test } from 'vitest'
import { dumpDatabase, testEngine } from '#tests/support/test-database.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { deleteRecord, replaceRecords } from '#server/features/content-store/content.commands.ts'
import { listRecords, readContentVersion, readSettings } from '#server/features/content-store/content.queries.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { sponsorKind, tierKind } from '#server/features/content-store/kinds/support.kinds.ts'
import { pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { changeRecord, storeRecord } from '#tests/support/content/stored-records.ts'
import { startClosed } from '#server/features/setup/setup.commands.ts'
import { isSiteOpen } from '#server/features/setup/setup.queries.ts'
import { readContentFiles } from './content-files.service.ts'
import { SAMPLE_PROFILE, SAMPLE_DIRECTORY } from '#server/config/profiles.ts'
import { seedEmptyDatabase } from './seed.service.ts'

const db = useTestDatabase()
const slugs = async () => (await listRecords(db(), pageKind)).map(({ id }) => id)

test('seeds an empty database once; later starts change nothing', async () => {
  expect(
    await seedEmptyDatabase(db(), { profile: SAMPLE_PROFILE, now: NOW, timeZone: 'America/New_York', samples: null }),
  ).toBe(true)
  await db().updateTable('membershipLevel').set({ unitAmount: 12_345 }).where('key', '=', 'annual_member').execute()
  expect(
    await seedEmptyDatabase(db(), { profile: SAMPLE_PROFILE, now: NOW, timeZone: 'America/New_York', samples: null }),
  ).toBe(false)
  const level = await db()
    .selectFrom('membershipLevel')
    .select('unitAmount')
    .where('key', '=', 'annual_member')
    .executeTakeFirstOrThrow()
  expect(level.unitAmount).toBe(12_345)
  expect(await readContentVersion(db())).toBe(1)
})

test('what is written with the content is written with it, or neither is', async () => {
  const options = { profile: SAMPLE_PROFILE, now: NOW, timeZone: 'America/New_York', samples: null }
  const fails = seedEmptyDatabase(db(), { ...options, writeToo: () => Promise.reject(new Error('ended')) })
  await expect(fails).rejects.toThrow('ended')
  expect(await slugs()).toEqual([])
  const seeded = seedEmptyDatabase(db(), { ...options, writeToo: (tx) => startClosed(tx, NOW) })
  expect([await seeded, await isSiteOpen(db())]).toEqual([true, false])
})

test('three instances that start at once seed it once', async () => {
  await Promise.all(
    Array.from({ length: 3 }, () =>
      seedEmptyDatabase(db(), {
        profile: SAMPLE_PROFILE,
        now: NOW,
        timeZone: 'America/New_York',
        samples: { makeSubscription: async () => null },
      }),
    ),
  )
  const { levels } = readContentFiles(SAMPLE_DIRECTORY)
  expect(await db().selectFrom('membershipLevel').select('key').execute()).toHaveLength(levels.length)
  expect(await db().selectFrom('account').select('email').execute()).toHaveLength(5)
  expect(await db().selectFrom('membership').select('id').execute()).toHaveLength(5)
  const receipts = await db().selectFrom('payment').select('receiptNumber').execute()
  expect(new Set(receipts.map((row) => row.receiptNumber)).size).toBe(receipts.length)
})

test('production gets pages, levels and settings, but no sample people', async () => {
  await seedEmptyDatabase(db(), { profile: SAMPLE_PROFILE, now: NOW, timeZone: 'America/New_York', samples: null })
  expect(await db().selectFrom('account').select('id').execute()).toEqual([])
  expect(await slugs()).toEqual(expect.arrayContaining(['privacy-policy', 'terms-conditions']))
  // Lists of which there are only samples exist, so that officers can add to them.
  expect(await listRecords(db(), sponsorKind)).toMatchObject([{ value: { sponsors: [] } }])
  expect((await readSettings(db())).association.name).toBe('Georgia Physicians of Indian Origin')
})

test.each([
  [null, { statement: 'It starts with a lecture.', quote: undefined, timeline: undefined }],
  [
    { makeSubscription: async () => null },
    {
      statement: 'It starts with a lecture.',
      quote: expect.objectContaining({ name: 'Dr. Elizabeth Cherian' }),
      timeline: expect.arrayContaining([expect.objectContaining({ year: '1987' })]),
    },
  ],
])('invented words and dates are added to a page with samples only, here %j', async (samples, expected) => {
  await seedEmptyDatabase(db(), { profile: SAMPLE_PROFILE, now: NOW, timeZone: 'America/New_York', samples })
  const about = (await listRecords(db(), pageKind)).find(({ id }) => id === 'about')
  const { statement, quote, timeline } = about?.value ?? {}
  expect({ statement, quote, timeline }).toEqual(expected)
})

test('stores only the hash of the sample password', async () => {
  await seedEmptyDatabase(db(), {
    profile: SAMPLE_PROFILE,
    now: NOW,
    timeZone: 'America/New_York',
    samples: { makeSubscription: async () => null },
  })
  const engine = testEngine === 'sqlite' ? 'sqlite' : 'postgres'
  expect(await dumpDatabase({ db: db(), engine, close: async () => {} })).not.toContain('Peachtree-1987')
})

test('each write increments the content version by one, also twenty at once', async () => {
  await seedEmptyDatabase(db(), { profile: SAMPLE_PROFILE, now: NOW, timeZone: 'America/New_York', samples: null })
  await Promise.all(
    Array.from({ length: 20 }, () =>
      db()
        .transaction()
        .execute((tx) => incrementContentVersion(tx)),
    ),
  )
  expect(await readContentVersion(db())).toBe(21)
})

test('a newer release adds missing content and leaves existing content unchanged', async () => {
  const seed = () =>
    seedEmptyDatabase(db(), { profile: SAMPLE_PROFILE, now: NOW, timeZone: 'America/New_York', samples: null })
  await seed()
  const shipped = await readSettings(db())
  const { sendMessage: _, ...older } = shipped.rateLimits
  older.login = { limit: 7, windowSeconds: 60 }
  await storeRecord(db(), settingKind('rateLimits'), older)
  await deleteRecord(db(), pageKind, 'clinic')
  await changeRecord(db(), pageKind, (page) => ({ ...page, title: 'Ours' }), 'about')
  await replaceRecords(db(), tierKind, [{ id: 'all', value: { tiers: [] } }], { now: NOW })
  const version = await readContentVersion(db())
  expect(await seed()).toBe(false)
  expect((await readSettings(db())).rateLimits).toEqual({
    ...shipped.rateLimits,
    login: { limit: 7, windowSeconds: 60 },
  })
  const pages = await listRecords(db(), pageKind)
  expect(pages.find(({ id }) => id === 'about')?.value.title).toBe('Ours')
  expect(await slugs()).toContain('clinic')
  expect((await listRecords(db(), tierKind))[0]?.value.tiers).toHaveLength(5)
  expect(await readContentVersion(db())).toBe(version + 1)
  await deleteRecord(db(), pageKind, 'clinic')
  await seed()
  expect(await readContentVersion(db())).toBe(version + 1)
  expect(await slugs()).not.toContain('clinic')
})

test('sample events take RSVPs; full ones have a waitlist', async () => {
  await seedEmptyDatabase(db(), {
    profile: SAMPLE_PROFILE,
    now: NOW,
    timeZone: 'America/New_York',
    samples: { makeSubscription: async () => null },
  })
  const settings = await db().selectFrom('rsvpSettings').select(['eventId', 'price', 'isOpen']).execute()
  expect(settings.filter(({ isOpen }) => isOpen === 1).length).toBeGreaterThanOrEqual(4)
  expect(settings.filter(({ price }) => price !== null).length).toBeGreaterThanOrEqual(2)
  const rsvps = await db().selectFrom('rsvp').select(['eventId', 'status', 'guests']).execute()
  expect(rsvps.length).toBeGreaterThan(60)
  const breakfast = rsvps.filter(({ eventId }) => eventId === 'residents-breakfast')
  const taken = breakfast.filter(({ status }) => status === 'coming').reduce((sum, { guests }) => sum + 1 + guests, 0)
  expect(taken).toBe(40)
  expect(breakfast.some(({ status }) => status === 'waiting')).toBe(true)
})
