import { expect, test } from 'vitest'
import { saveListing } from './directory-listing.commands.ts'
import { joinForDirectory } from '#tests/support/content/directory.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const LISTED = 700
const REQUESTS = 1_000

/** The figure in docs/decisions/0058-directory.md. */
test('1,000 requests with one log-in learn at most 400 names and 60 entries of 700 people in a day', async () => {
  const reader = await joinForDirectory(app())
  const { db } = app().database
  const now = app().now()
  const template = await db.selectFrom('account').selectAll().where('id', '=', reader.id).executeTakeFirstOrThrow()
  const membership = await db
    .selectFrom('membership')
    .selectAll()
    .where('accountId', '=', reader.id)
    .executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    for (let n = 0; n < LISTED; n++) {
      const id = `listed-${n}`
      const person = { id, username: id, email: `${id}@example.org`, emailKey: `${id}@example.org` }
      const name = { firstName: groupName(n % GROUPS), lastName: `Listed ${n}` }
      await tx
        .insertInto('account')
        .values({ ...template, ...person, ...name })
        .execute()
      await tx
        .insertInto('membership')
        .values({ ...membership, id: `m-${n}`, accountId: id })
        .execute()
      await saveListing(tx, id, { inMembers: 1, inPublic: 0, takesMessages: 1 }, now)
    }
  })

  const names = new Set<string>()
  const entries = new Set<string>()
  const refused = { searches: 0, entries: 0 }
  for (let sent = 0; sent < REQUESTS / 2; sent++) {
    // The best that one can do: each search finds a full page of people who were not found before.
    const query = new URLSearchParams({ q: groupName(sent % GROUPS) })
    const found = await reader.browser.get(`/api/directory?${query}`)
    if (found.status === 429) refused.searches++
    for (const { id } of (found.body.people ?? []) as { id: string }[]) names.add(id)
    const next = [...names][sent] ?? 'unknown'
    const entry = await reader.browser.get(`/api/directory/${next}`)
    if (entry.status === 429) refused.entries++
    if (entry.status === 200) entries.add(next)
  }
  expect({ names: names.size, entries: entries.size }).toEqual({ names: 400, entries: 60 })
  expect(refused).toEqual({ searches: REQUESTS / 2 - 20, entries: REQUESTS / 2 - 60 })
})

const GROUPS = 35
const CONSONANTS = 'bdfgklmnprstv'

/** A first name that sounds like no other one. */
function groupName(group: number): string {
  return `${CONSONANTS[group % 13]}a${CONSONANTS[Math.floor(group / 13)]}om`
}
