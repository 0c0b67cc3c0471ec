import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import type { PaidSponsor, RunOfShow } from '#contract/console/sponsors.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import RunOfShowPage from './run-of-show.tsx'
import SponsorsPage from './sponsors.tsx'

const api = useFakeApi()
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const sponsor: PaidSponsor = {
  id: 's1',
  company: 'Kaveri Labs',
  name: 'Leela',
  email: 'leela@example.com',
  phone: null,
  message: null,
  tierName: 'Gold',
  amount: 200_000,
  amountRefunded: 0,
  dispute: null,
  currency: 'usd',
  paidAt: '2030-03-02T15:04:05.000Z',
  receiptNumber: 'R-2030-1',
  promises: [{ kind: 'table', words: 'Reserved table', keptAt: null, dueOn: null, isOverdue: false }],
}

test('a benefit is marked as delivered in the list; a receipt is resent after a confirmation', async () => {
  api.current.on('GET /api/console/sponsors', { body: { sponsorships: [sponsor], hasMore: false, mayChange: true } })
  const kept = { ...sponsor, promises: [{ ...sponsor.promises[0], keptAt: sponsor.paidAt }] }
  api.current.on('PUT /api/console/sponsors/s1/promises/table', { body: kept })
  api.current.on('POST /api/console/sponsors/s1/receipt', { body: { email: sponsor.email } })
  const { person } = renderPage(SponsorsPage, { at: '/console/sponsors' })
  await person.click(await screen.findByRole('button', { name: 'Mark delivered: Reserved table, Kaveri Labs' }))
  await screen.findByText('Delivered March 2, 2030')
  expect(api.current.sent.at(-1)?.body).toEqual({ isKept: true })
  await person.click(screen.getByRole('button', { name: 'Actions for Kaveri Labs' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Resend receipt' }))
  const dialog = await screen.findByRole('dialog', { name: 'Resend receipt?' })
  expect(api.current.sent.at(-1)?.method).toBe('PUT')
  await person.click(within(dialog).getByRole('button', { name: 'Resend' }))
  await waitFor(() => expect(api.current.requestsTo('POST /api/console/sponsors/s1/receipt')).toHaveLength(1))
})

test('a benefit can have a deadline, and says when it is overdue', async () => {
  const late = { ...sponsor, promises: [{ ...sponsor.promises[0], dueOn: '2030-01-05', isOverdue: true }] }
  const path = 'PUT /api/console/sponsors/s1/promises/table/deadline'
  api.current.on('GET /api/console/sponsors', { body: { sponsorships: [sponsor], hasMore: false, mayChange: true } })
  api.current.on(path, { body: late })
  const { person } = renderPage(SponsorsPage, { at: '/console/sponsors' })
  await person.click(await screen.findByRole('button', { name: 'Actions for Kaveri Labs' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Deadline: Reserved table' }))
  const dialog = await screen.findByRole('dialog', { name: 'When is it due: Reserved table?' })
  await person.type(within(dialog).getByLabelText('Due on'), '2030-01-05')
  await person.click(within(dialog).getByRole('button', { name: 'Save' }))
  await screen.findByText('Overdue')
  screen.getByText(/by January 5, 2030/)
  expect(api.current.requestsTo(path)[0]?.body).toEqual({ dueOn: '2030-01-05' })
})

test('a refund is shown next to the amount, and no benefits are due', async () => {
  const back = { ...sponsor, amountRefunded: 200_000, promises: [] }
  const disputed = { ...sponsor, id: 's2', company: 'Tamarind Table', dispute: 'open' }
  api.current.on('GET /api/console/sponsors', {
    body: { sponsorships: [back, disputed], hasMore: false, mayChange: true },
  })
  renderPage(SponsorsPage, { at: '/console/sponsors' })
  const [first, second] = (await screen.findAllByRole('heading', { level: 2 })).map((one) => one.closest('li'))
  expect(first?.textContent).toContain('Refunded')
  expect(first?.textContent).toContain('no benefits are due')
  expect(second?.textContent).toContain('Disputed')
  expect(second?.textContent).toContain('Due')
})

test('an officer with read-only access sees no edit buttons', async () => {
  api.current.on('GET /api/console/sponsors', { body: { sponsorships: [sponsor], hasMore: false, mayChange: false } })
  renderPage(SponsorsPage, { at: '/console/sponsors' })
  await screen.findByText('Due')
  expect(screen.queryByRole('button', { name: /Kaveri/ })).toBeNull()
})

test('the order moves by keyboard with the focus, adds up, and an old one is not saved over a new one', async () => {
  const item = (id: string, title: string, minutes: number) => ({ sponsorshipId: id, title, minutes })
  const run: RunOfShow = {
    day: '2031-02-14',
    startsAt: '19:00',
    items: [item('a', 'First', 3), item('b', 'Second', 5)],
    version: 2,
    waiting: [item('c', 'Third', 10)],
    mayChange: true,
  }
  const path = '/api/console/run-of-show/2031-02-14'
  api.current.on(`GET ${path}`, { body: run })
  const { person } = renderPage(() => <RunOfShowPage day="2031-02-14" />, { at: '/console/run-of-show/2031-02-14' })
  await person.click(await screen.findByRole('button', { name: 'Add Third' }))
  expect(screen.getByText(/in total, ends at 7:18 PM/).textContent).toBe('18 minutes in total, ends at 7:18 PM')
  screen.getByRole('button', { name: 'Move Third up' }).focus()
  await person.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Third up'))
  await person.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Third down'))
  const lines = within(screen.getByText('Third').closest('ol') as HTMLElement).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    '7:00 PMThird 10 min',
    '7:10 PMFirst 3 min',
    '7:13 PMSecond 5 min',
  ])
  api.current.on(`PUT ${path}`, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  await saveByKey(person)
  await screen.findByText('Someone else changed this in the meantime.')
  expect(api.current.sent.at(-1)?.body).toMatchObject({
    startsAt: '19:00',
    version: 2,
    items: [{ title: 'Third' }, {}, {}],
  })

  // Another officer removed an item: the local order stays and is saved on top after the conflict was shown.
  const theirs = {
    ...run,
    items: [item('a', 'First', 3)],
    waiting: [item('b', 'Second', 5), ...run.waiting],
    version: 3,
  }
  api.current.on(`GET ${path}`, { body: theirs })
  await person.click(screen.getByRole('button', { name: 'Reload' }))
  within(await screen.findByRole('group', { name: 'Newer version' })).getByText('First, 3 min')
  expect(titles()).toEqual(['Third', 'First', 'Second'])
  const mine = [item('c', 'Third', 10), item('a', 'First', 3), item('b', 'Second', 5)]
  api.current.on(`PUT ${path}`, { body: { ...theirs, items: mine, waiting: [], version: 4 } })
  await saveByKey(person)
  await screen.findByText('Saved.')
  expect(api.current.sent.at(-1)?.body).toMatchObject({ version: 3, items: mine })
  expect(screen.queryByText('Unsaved changes')).toBeNull()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('console-draft'))).toEqual([])
})

const titles = () =>
  screen.getAllByRole('button', { name: /^Remove .*$/ }).map((one) => one.getAttribute('aria-label')?.slice(7))

test('a draft order based on an older version is kept, and the newer one can be used instead', async () => {
  const first = { sponsorshipId: 'a', title: 'First', minutes: 3 }
  const second = { sponsorshipId: 'b', title: 'Second', minutes: 5 }
  const run: RunOfShow = {
    day: '2031-02-14',
    startsAt: '19:00',
    items: [first, second],
    version: 2,
    waiting: [],
    mayChange: true,
  }
  const path = '/api/console/run-of-show/2031-02-14'
  api.current.on(`GET ${path}`, { body: run })
  const open = () => renderPage(() => <RunOfShowPage day="2031-02-14" />, { at: '/console/run-of-show/2031-02-14' })
  const before = open()
  await before.person.click(await screen.findByRole('button', { name: 'Move Second up' }))
  before.unmount()
  // As an earlier release kept it.
  const kept = JSON.stringify({ version: 2, startsAt: '19:00', items: [second, first] })
  localStorage.setItem('console-draft:run:2031-02-14', kept)
  api.current.on(`GET ${path}`, { body: { ...run, startsAt: '20:00', version: 3 } })
  const { person } = open()
  within(await screen.findByRole('group', { name: 'Newer version' })).getByText(/^It starts at 8:00 PM/)
  expect(titles()).toEqual(['Second', 'First'])
  await person.click(screen.getByRole('button', { name: 'Use theirs' }))
  expect(titles()).toEqual(['First', 'Second'])
  expect(screen.getByLabelText<HTMLInputElement>('Starts at').value).toBe('20:00')
  expect(screen.queryByRole('group', { name: 'Newer version' })).toBeNull()
})
