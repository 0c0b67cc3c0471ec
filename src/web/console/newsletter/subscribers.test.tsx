import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ListedSubscriber } from '#contract/console/subscribers.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import SubscribersPage from './subscribers.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/subscribers'
const LOOK = 'POST /api/console/subscriber-import-file'
const RECENT = 'GET /api/console/subscriber-imports/recent'
const UNDO = 'POST /api/console/subscriber-imports/i1/undo'
const ADD = 'POST /api/console/subscriber-imports'
const digest = 'a'.repeat(64)
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

function subscriber(email: string, over: Partial<ListedSubscriber>): ListedSubscriber {
  return {
    id: email,
    email,
    state: 'subscribed',
    source: 'homepage',
    askedAt: '2026-03-02T17:00:00.000Z',
    confirmedAt: null,
    leftAt: null,
    imported: null,
    ...over,
  }
}

const at = '2026-11-22T17:00:00.000Z'
const subscribers = [
  subscriber('ana@example.org', { confirmedAt: '2026-03-03T17:00:00.000Z' }),
  subscriber('ben@example.org', { imported: { at, consentOn: '2024-03-02', consentSource: 'Gala sign-up' } }),
  subscriber('cara@example.org', { imported: { at, consentOn: null, consentSource: null } }),
]
const page = {
  subscribers,
  counts: { subscribed: 3, pending: 0, left: 0, bounced: 0, complained: 0 },
  total: 3,
}

test('each entry shows how the subscriber opted in, and imported ones are not called confirmed', async () => {
  api.current.on(LIST, { body: page })
  renderPage(SubscribersPage, { at: '/console/subscribers' })
  const ana = await screen.findByRole('row', { name: /ana@/ })
  expect(ana.textContent).toContain('Requested March 2, 2026, confirmed March 3, 2026')
  const ben = screen.getByRole('row', { name: /ben@/ })
  expect(ben.textContent).toContain('March 2, 2024, imported November 22, 2026')
  expect(ben.textContent).toContain('Gala sign-up')
  const cara = screen.getByRole('row', { name: /cara@/ })
  expect(cara.textContent).toContain('Imported November 22, 2026, no date stated')
})

test('a list is reviewed, and imported once the officer confirms the consent', async () => {
  api.current.on(LIST, { body: page })
  const counts = {
    added: 2,
    dated: 1,
    known: 1,
    suppressed: 1,
    wrong: 1,
    blocked: 3,
    ended: 0,
    newerConsent: 0,
    noConsent: 0,
  }
  const file = { digest, system: 'mailchimp', counts, verdicts: 'Line,Email' }
  const line = {
    id: 'i1',
    filename: 'old.csv',
    system: null,
    counts,
    at,
    by: 'Meera Rao',
    undoneAt: null,
    undoneBy: null,
  }
  api.current.on(RECENT, { body: { imports: [line] } })
  api.current.on(UNDO, { body: { undone: 4, kept: 1 } })
  const wrong = [{ line: 6, cell: '31/06/2024', sentence: 'This is not a day.', cure: 'Write the day.' }]
  const noAddresses = 'The file has no column of email addresses.'
  api.current.on(LOOK, errorResponse(400, 'INVALID_INPUT', noAddresses, { file: noAddresses }), {
    body: { ...file, wrong },
  })
  api.current.on(ADD, { status: 201, body: { ...file, wrong } })
  const { person } = renderPage(SubscribersPage, { at: '/console/subscribers' })
  await person.click(await screen.findByRole('button', { name: 'Import' }))
  const look = async () => person.click(await screen.findByRole('button', { name: 'Review' }))
  await look()
  await screen.findByText('Choose a file.')
  const field = screen.getByLabelText('Subscribers (CSV)')
  await person.upload(field, new File(['x'], 'gala.csv', { type: 'text/csv' }))
  await look()
  await screen.findByText(noAddresses)
  await person.upload(field, new File(['y'], 'gala.csv', { type: 'text/csv' }))
  await look()

  const dialog = await screen.findByRole('dialog', { name: 'Add 2 people?' })
  within(dialog).getByText('1 person with the date they agreed.')
  within(dialog).getByText(/1 person without that date: recorded as imported/)
  within(dialog).getByText('Exported from Mailchimp.')
  within(dialog).getByText(/^3 people who unsubscribed or whose email bounced there/)
  within(dialog).getByText(/^1 person on the do-not-email list already/)
  within(dialog).getByText(/neither newsletters nor emails to members are sent/)
  within(dialog).getByRole('button', { name: 'Download results' })
  const button = within(dialog).getByRole<HTMLButtonElement>('button', { name: /^Add 2 people/ })
  expect(button.disabled).toBe(true)
  await person.click(within(dialog).getByRole('checkbox', { name: /These people agreed/ }))
  await person.click(button)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add 2 people?' })).toBeNull())
  expect(api.current.requestsTo(ADD)[0]?.query).toEqual({
    filename: 'gala.csv',
    list: 'file',
    digest,
    consent: 'stated',
  })
  await waitFor(() => expect(api.current.requestsTo(LIST)).toHaveLength(2))
})

test('an earlier import is undone after a confirmation', async () => {
  api.current.on(LIST, { body: page })
  const none = { dated: 0, known: 0, suppressed: 0, wrong: 0, newerConsent: 0, noConsent: 0 }
  const counts = { added: 4, blocked: 1, ended: 0, ...none }
  const line = {
    id: 'i1',
    filename: 'old.csv',
    system: 'mailchimp',
    counts,
    at,
    by: 'Meera Rao',
    undoneAt: null,
    undoneBy: null,
  }
  api.current.on(RECENT, { body: { imports: [line] } })
  api.current.on(UNDO, { body: { undone: 4, kept: 1 } })
  const { person } = renderPage(SubscribersPage, { at: '/console/subscribers' })
  await person.click(await screen.findByRole('button', { name: 'Import' }))
  await screen.findByText(/4 added, 1 on the do-not-email list/)
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  await person.click(await screen.findByRole('button', { name: 'Undo the import' }))
  await waitFor(() => expect(api.current.requestsTo(UNDO)).toHaveLength(1))
})
