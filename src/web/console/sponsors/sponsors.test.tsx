import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { PaidSponsor, RunOfShow } from '#contract/console-sponsors.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { renderPage } from '../render-page.tsx'
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
  promises: [{ kind: 'table', words: 'Reserved table', keptAt: null }],
}

test('a promise is kept where it stands; a receipt is mailed only after a question', async () => {
  api.current.on('GET /api/console/sponsors', { body: { sponsorships: [sponsor], hasMore: false, mayChange: true } })
  const kept = { ...sponsor, promises: [{ ...sponsor.promises[0], keptAt: sponsor.paidAt }] }
  api.current.on('PUT /api/console/sponsors/s1/promises/table', { body: kept })
  api.current.on('POST /api/console/sponsors/s1/receipt', { body: { email: sponsor.email } })
  const { person } = renderPage(SponsorsPage, { at: '/console/sponsors' })
  await person.click(await screen.findByRole('button', { name: 'Reserved table, Kaveri Labs: it is kept' }))
  await screen.findByText('Kept March 2, 2030')
  expect(api.current.sent.at(-1)?.body).toEqual({ isKept: true })
  await person.click(screen.getByRole('button', { name: 'Mail the receipt of Kaveri Labs again' }))
  const dialog = await screen.findByRole('dialog', { name: 'Mail the receipt again?' })
  expect(api.current.sent.at(-1)?.method).toBe('PUT')
  await person.click(within(dialog).getByRole('button', { name: 'Mail it' }))
  await screen.findByText('The receipt is on its way again.')
})

test('what went back is said beside the amount, and is no thanks', async () => {
  const back = { ...sponsor, amountRefunded: 200_000, promises: [] }
  const disputed = { ...sponsor, id: 's2', company: 'Tamarind Table', dispute: 'open' }
  api.current.on('GET /api/console/sponsors', {
    body: { sponsorships: [back, disputed], hasMore: false, mayChange: true },
  })
  renderPage(SponsorsPage, { at: '/console/sponsors' })
  const [first, second] = (await screen.findAllByRole('heading', { level: 2 })).map((one) => one.closest('li'))
  expect(first?.textContent).toContain('Refunded')
  expect(first?.textContent).toContain('nothing is to be kept')
  expect(second?.textContent).toContain('Disputed')
  expect(second?.textContent).toContain('To keep')
})

test('whoever may only look sees no buttons that change', async () => {
  api.current.on('GET /api/console/sponsors', { body: { sponsorships: [sponsor], hasMore: false, mayChange: false } })
  renderPage(SponsorsPage, { at: '/console/sponsors' })
  await screen.findByText('To keep')
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
  const { person } = renderPage(() => <RunOfShowPage id="2031-02-14" />, { at: '/console/run-of-show/2031-02-14' })
  await person.click(await screen.findByRole('button', { name: 'Add Third' }))
  expect(screen.getByText(/in all, over at 7:18 PM/).textContent).toBe('18 minutes in all, over at 7:18 PM')
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
  api.current.on(`PUT ${path}`, refusal(409, 'CHANGED_MEANWHILE', 'Somebody else changed this meanwhile.'))
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Somebody else changed this meanwhile.')
  expect(api.current.sent.at(-1)?.body).toMatchObject({
    startsAt: '19:00',
    version: 2,
    items: [{ title: 'Third' }, {}, {}],
  })

  // Somebody else took one out: one's own order stays on the screen, and goes on top once that was seen.
  const theirs = {
    ...run,
    items: [item('a', 'First', 3)],
    waiting: [item('b', 'Second', 5), ...run.waiting],
    version: 3,
  }
  api.current.on(`GET ${path}`, { body: theirs })
  await person.click(screen.getByRole('button', { name: 'Look at what it says now' }))
  within(await screen.findByRole('group', { name: 'It says now' })).getByText('First, 3 min')
  expect(titles()).toEqual(['Third', 'First', 'Second'])
  const mine = [item('c', 'Third', 10), item('a', 'First', 3), item('b', 'Second', 5)]
  api.current.on(`PUT ${path}`, { body: { ...theirs, items: mine, waiting: [], version: 4 } })
  await person.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('It is saved.')
  expect(api.current.sent.at(-1)?.body).toMatchObject({ version: 3, items: mine })
  expect(screen.queryByText('There are changes that are not saved yet.')).toBeNull()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('console-draft'))).toEqual([])
})

const titles = () =>
  screen.getAllByRole('button', { name: /^Take .* out$/ }).map((one) => one.getAttribute('aria-label')?.slice(5, -4))

test('an order that was begun before somebody else saved is offered, and theirs can be taken', async () => {
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
  const open = () => renderPage(() => <RunOfShowPage id="2031-02-14" />, { at: '/console/run-of-show/2031-02-14' })
  const before = open()
  await before.person.click(await screen.findByRole('button', { name: 'Move Second up' }))
  before.unmount()
  api.current.on(`GET ${path}`, { body: { ...run, startsAt: '20:00', version: 3 } })
  const { person } = open()
  within(await screen.findByRole('group', { name: 'It says now' })).getByText(/^It begins at 8:00 PM/)
  expect(titles()).toEqual(['Second', 'First'])
  await person.click(screen.getByRole('button', { name: 'Take theirs' }))
  expect(titles()).toEqual(['First', 'Second'])
  expect(screen.getByLabelText<HTMLInputElement>('Begins at').value).toBe('20:00')
  expect(screen.queryByRole('group', { name: 'It says now' })).toBeNull()
})
