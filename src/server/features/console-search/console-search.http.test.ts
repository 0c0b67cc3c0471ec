import { beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import type { SearchGroup } from '#contract/console/search.ts'
import { officerWith } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ samples: true, environment: { RATE_LIMITS: 'x100' } })

async function search(roles: Role[], q: string): Promise<Partial<Record<SearchGroup, string[]>>> {
  const browser = await officerWith(app(), roles)
  const { status, body } = await browser.get(`/api/console/search?${new URLSearchParams({ q })}`)
  expect(status).toBe(200)
  const groups = body.groups as { group: SearchGroup; results: { title: string; url: string }[] }[]
  return Object.fromEntries(groups.map(({ group, results }) => [group, results.map(({ url }) => url)]))
}

beforeAll(async () => {
  const visitor = app().browser()
  await visitor.post('/api/contact', {
    name: 'Rekha Naidu',
    email: 'rekha@example.com',
    subject: 'Gala tables',
    message: 'May we have two tables?',
    recaptchaToken: await visitor.botToken('contact_form'),
  })
})

test('finds a member by part of a name', async () => {
  const found = await search(['president'], 'raghuvan')
  expect(found.members?.length).toBeGreaterThan(0)
  expect(found.members?.[0]).toMatch(/^\/console\/members\//)
})

test('a name with a typing error finds members with similar names, for officers who may see members', async () => {
  const { members } = await search(['president'], 'raghuvanshy')
  expect(members?.[0]).toMatch(/^\/console\/members\//)
  expect(await search(['editor'], 'raghuvanshy')).toEqual({})
})

test('finds an event, and leads to its RSVPs; other content leads to its editor', async () => {
  const found = await search(['president'], 'gala')
  expect(found.events?.[0]).toMatch(/^\/console\/rsvp\//)
  expect(found.content?.[0]).toMatch(/^\/console\/content\/(?!events)/)
})

test('each group needs its permission', async () => {
  expect(Object.keys(await search(['editor'], 'gala'))).toEqual(['events', 'content'])
  expect((await search(['membership'], 'gala tables')).messages).toHaveLength(1)
  expect(await search(['viewer'], 'gala tables')).toEqual({})
})

test('one letter and signs of patterns find nothing, and at most five of each are returned', async () => {
  expect(await search(['president'], 'a')).toEqual({})
  expect(await search(['president'], '%%')).toEqual({})
  for (const urls of Object.values(await search(['president'], 'an'))) expect(urls.length).toBeLessThanOrEqual(5)
})
