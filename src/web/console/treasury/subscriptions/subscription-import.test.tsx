import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { SubscriptionReview } from '#contract/console/money/subscription-imports.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import SubscriptionImportPage from './subscription-import.tsx'

const api = useFakeApi()
const REVIEW = 'POST /api/console/subscription-imports/review'
const IMPORT = 'POST /api/console/subscription-imports'
const RECENT = 'GET /api/console/subscription-imports/recent'
const UNDO = 'POST /api/console/subscription-imports/s1/undo'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const gold = { key: 'gold', name: 'Gold', amount: 8_000, currency: 'usd', months: 12, subscriptions: 2 }
const row = {
  subscriptionId: 'sub_1',
  email: 'a@example.org',
  name: '',
  price: 'Gold',
  amount: 8_000,
  currency: 'usd',
  periodEndsAt: '2027-03-01T12:00:00.000Z',
}
const first: SubscriptionReview = {
  digest: 'a'.repeat(64),
  prices: [{ ...gold, choice: 'none', levelKey: null }],
  levels: [{ key: 'annual', name: 'Annual Member', amount: 10_000, currency: 'usd', months: 12 }],
  counts: { ready: 0, ending: 0, ours: 0, leftOut: 0, wrong: 2 },
  imported: [],
  skipped: [{ ...row, verdict: 'wrong', sentence: 'No account has this email.' }],
  verdicts: 'Email',
  hasMore: false,
}
const chosen: SubscriptionReview = {
  ...first,
  digest: 'b'.repeat(64),
  prices: [{ ...gold, choice: 'chosen', levelKey: 'annual' }],
  counts: { ...first.counts, ready: 1, wrong: 1 },
  imported: [{ ...row, verdict: 'ready', sentence: 'Becomes Annual Member.' }],
}
const line = {
  id: 's1',
  at: '2026-11-22T12:00:00.000Z',
  by: 'Meera Rao',
  undoneAt: null,
  waiting: 0,
  imported: 1,
  undone: 0,
  exceptions: [{ accountId: 'm1', name: 'Nila Rao', sentence: 'This account is disabled.' }],
}

test('a level is chosen for each earlier price, the import is confirmed, and an earlier one is undone', async () => {
  api.current.on(RECENT, { body: { imports: [] } }, { body: { imports: [line] } })
  api.current.on(REVIEW, { body: first }, { body: chosen })
  api.current.on(IMPORT, { status: 201, body: { subscriptions: 1 } })
  api.current.on(UNDO, { body: { undone: 1, kept: 0 } })
  const { person } = renderPage(SubscriptionImportPage, { at: '/console/payments/subscriptions' })
  await person.click(await screen.findByRole('button', { name: 'Review' }))
  await screen.findByText(/No account has this email/)
  expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull()
  await person.selectOptions(screen.getByRole('combobox', { name: /^Level of Gold/ }), 'annual')
  await person.click(await screen.findByRole('button', { name: 'Import 1 subscription' }))
  await person.click(await screen.findByRole('button', { name: 'Import' }))
  await waitFor(() => expect(api.current.requestsTo(IMPORT)[0]?.body).toEqual({ digest: 'b'.repeat(64) }))
  expect(api.current.requestsTo(REVIEW).map(({ body }) => body)).toEqual([
    { choices: [] },
    { choices: [{ key: 'gold', levelKey: 'annual' }] },
  ])
  await screen.findByRole('link', { name: 'Nila Rao' })
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  await person.click(await screen.findByRole('button', { name: 'Undo the import' }))
  await waitFor(() => expect(api.current.requestsTo(UNDO)).toHaveLength(1))
})
