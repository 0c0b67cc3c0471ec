import { expect, test } from 'vitest'
import { joinForDirectory } from '#tests/support/content/directory.ts'
import { groupName, LISTED_GROUPS, listMany } from '#tests/support/content/many-listed.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const LISTED = 700
const REQUESTS = 1_000

/** The figure in docs/decisions/0058-directory.md. */
test('1,000 requests with one log-in learn at most 400 names and 60 entries of 700 people in a day', async () => {
  const reader = await joinForDirectory(app())
  await listMany(app().database.db, { like: reader.id, count: LISTED, now: app().now() })

  const names = new Set<string>()
  const entries = new Set<string>()
  const refused = { searches: 0, entries: 0 }
  for (let sent = 0; sent < REQUESTS / 2; sent++) {
    // The best that one can do: each search finds a full page of people who were not found before.
    const query = new URLSearchParams({ q: groupName(sent % LISTED_GROUPS) })
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
