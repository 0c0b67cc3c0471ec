import { expect, test } from 'vitest'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { PROFILES } from '#server/config/profiles.ts'
import { readCredentialKinds } from '#server/features/content-store/credential-kinds.queries.ts'
import { readRecords } from '#server/features/content-store/content.queries.ts'
import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { faqKind, pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { readLevels } from '#server/features/levels/level.queries.ts'
import { seedEmptyDatabase } from './seed.service.ts'

const db = useTestDatabase()
const NOW = Date.parse('2026-11-28T12:00:00Z')

/** What only the sample association may say. */
const SAMPLE_FACTS = /georgia|norcross|indian|1987|\b587\b|\b815\b|two thousand|2,000|\$1,000/i
/** What only physicians may say. */
const MEDICINE = /physician|medical|\bclinic\b|\bNPI\b|patient|doctor|hospital/i

/** Everything a profile puts into an empty database, a line for each record. */
async function fill(profile: (typeof PROFILES)[number]): Promise<string[]> {
  await seedEmptyDatabase(db(), { profile, now: NOW, timeZone: null, samples: null })
  const records = await db().selectFrom('contentRecord').select(['kind', 'id', 'value']).execute()
  const levels = (await readLevels(db())).map((level) => JSON.stringify(level))
  return [...records.map(({ kind, id, value }) => `${kind} ${id} ${value}`), ...levels]
}

test.each(PROFILES)('%s has every page and setting that the site needs', async (profile) => {
  await fill(profile)
  const records = await readRecords(db())
  expect(settingsOf(records).problems).toEqual([])
  expect(records.list(pageKind).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['about', 'clinic', 'privacy-policy', 'scholarships-awards', 'terms-conditions']),
  )
  expect(records.single(faqKind)?.questions.length).toBeGreaterThan(5)
  expect(await readLevels(db())).not.toEqual([])
})

test.each(['neutral', 'physicians', 'engineers'] as const)(
  '%s says nothing of the sample association',
  async (profile) => {
    expect((await fill(profile)).filter((line) => SAMPLE_FACTS.test(line))).toEqual([])
  },
)

// The free clinic is a part of the site that can be switched on: its page and its hours are there, in general words.
test.each(['neutral', 'engineers'] as const)('%s says nothing of medicine', async (profile) => {
  const lines = (await fill(profile)).filter(
    (line) => !/^(pages clinic|settings-clinic|clinic-languages|settings-parts) /.test(line),
  )
  expect(lines.filter((line) => MEDICINE.test(line))).toEqual([])
})

test('a new site has the email address of its officers', async () => {
  const options = { now: NOW, timeZone: null, samples: null, officersEmail: 'board@engineers.example' }
  await seedEmptyDatabase(db(), { ...options, profile: 'engineers' })
  expect(settingsOf(await readRecords(db())).settings.association).toMatchObject({
    name: "Our Engineers' Association",
    email: 'board@engineers.example',
  })
})

test('a database from before kinds of credentials were content gets those of its profile once', async () => {
  const keys = async () => (await readCredentialKinds(db())).map(({ key }) => key)
  await fill('physicians-georgia')
  const start = async () => {
    await db().updateTable('contentVersion').set({ shipped: null }).execute()
    await seedEmptyDatabase(db(), { profile: 'neutral', now: NOW, timeZone: null, samples: null })
  }
  // Until profiles were recorded there was only one.
  await db().deleteFrom('contentRecord').where('kind', '=', 'credential-kinds').execute()
  await db().updateTable('contentVersion').set({ profile: null }).execute()
  await start()
  expect(await keys()).toEqual(['licence', 'resident', 'student'])
  await db().deleteFrom('contentRecord').where('kind', '=', 'credential-kinds').where('id', '=', 'student').execute()
  await start()
  expect(await keys()).toEqual(['licence', 'resident'])
})

test('a later start adds what is missing from the profile that filled the database', async () => {
  await fill('engineers')
  await db().deleteFrom('contentRecord').where('kind', '=', 'pages').where('id', '=', 'about').execute()
  await db().updateTable('contentVersion').set({ shipped: null }).execute()
  await seedEmptyDatabase(db(), { profile: 'physicians-georgia', now: NOW, timeZone: null, samples: null })
  const about = (await readRecords(db(), [pageKind])).list(pageKind).find(({ id }) => id === 'about')
  expect(about?.value.markdown).not.toMatch(/Georgia/)
})
