import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import type { DuesLevel, LevelWithChanges, PriceChange, PriceEffect } from '#contract/console/dues.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import DuesLevelPage from './dues-level.tsx'
import DuesPage from './dues.tsx'

const api = useFakeApi()
const PATH = '/api/console/dues/annual_member'
beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('token', tokenFor(3_600))
})

const annual: DuesLevel = {
  key: 'annual_member',
  name: 'Annual Member',
  description: 'For physicians.',
  unitAmount: 10_000,
  currency: 'usd',
  interval: 'year',
  intervalCount: 1,
  isRecurring: true,
  isOnSale: true,
  holders: 12,
  charged: [
    { amount: 10_000, members: 9 },
    { amount: 9_000, members: 2 },
  ],
  planned: null,
  version: 'v1',
}
const life: DuesLevel = {
  ...annual,
  key: 'life_member',
  name: 'Life Member',
  unitAmount: 100_000,
  interval: null,
  intervalCount: null,
  isRecurring: false,
  isOnSale: false,
  charged: [],
}
const change: PriceChange = {
  id: 'c1',
  amountBefore: 10_000,
  amountAfter: 12_500,
  scope: 'everybody',
  startsOn: '2027-01-01',
  state: 'planned',
  askedBy: 'Meera Rao',
  askedAt: '2026-11-21T12:00:00.000Z',
  moves: { waiting: 0, moved: 0, gone: 0 },
}
const effect: PriceEffect = {
  amountBefore: 10_000,
  amountAfter: 12_500,
  currency: 'usd',
  startsOn: '2026-11-21',
  isToday: true,
  holders: 12,
  byCard: 11,
  byHand: 1,
  ending: 0,
  forLife: 0,
  keepPrice: 0,
  movesAtNext: 11,
  firstAt: '2027-03-02T15:00:00.000Z',
  lastAt: '2027-11-30T15:00:00.000Z',
  paysOnceMore: 0,
  yearBefore: 118_000,
  yearAfter: 150_000,
  openCheckouts: 0,
  version: 'v1',
}
const found = (level: DuesLevel, changes: PriceChange[] = [], mayChange = true): { body: LevelWithChanges } => ({
  body: { level, changes, mayChange },
})

test('levels with price and members; a new order is saved once it is asked for', async () => {
  api.current.on('GET /api/console/dues', { body: { levels: [annual, life], mayChange: true } })
  api.current.on('PUT /api/console/dues', { body: { levels: [life, annual], mayChange: true } })
  const { person } = renderPage(DuesPage, { at: '/console/dues' })
  const row = (await screen.findByRole('rowheader', { name: 'Annual Member' })).closest('tr') as HTMLElement
  expect(row.textContent).toContain('$100 a year')
  within(row).getByText('2 at $90')
  screen.getByRole('rowheader', { name: 'Life Member Not available' })
  expect(screen.queryByRole('button', { name: 'Save order' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Move Life Member up' }))
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Life Member down'))
  await saveByKey(person)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save order' })).toBeNull())
  expect(api.current.sent.at(-1)?.body).toEqual({ keys: ['life_member', 'annual_member'] })
})

test('a price is changed only after a preview; other input discards the preview', async () => {
  api.current.on(`GET ${PATH}`, found(annual))
  api.current.on(`POST ${PATH}/effect`, { body: effect })
  api.current.on(`POST ${PATH}/price`, found({ ...annual, unitAmount: 12_500, version: 'v2' }))
  const { person } = renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await person.type(await screen.findByLabelText('New price ($)'), '125')
  expect(screen.queryByRole('button', { name: 'Change price now' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Preview the effects' }))
  const meaning = within(screen.getByRole('region', { name: 'Effects' }))
  await meaning.findByText(/^11 members pay \$125 from the next renewal/)
  meaning.getByText('$1,180')
  meaning.getByText(/^That is \$320 more than today/)
  await person.type(screen.getByLabelText('New price ($)'), '0')
  expect(meaning.queryByRole('button', { name: 'Change price now' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Preview the effects' }))
  await person.click(await meaning.findByRole('button', { name: 'Change price now' }))
  await screen.findByText('The new price is in effect.')
  expect(api.current.requestsTo(`POST ${PATH}/price`)[0]?.body).toEqual({
    amount: '1250',
    scope: 'everybody',
    version: 'v1',
  })
})

test('the preview stays during the change, and shows its error', async () => {
  let answer: (what: 'no network') => void = () => {}
  api.current
    .on(`GET ${PATH}`, found(annual))
    .on(`POST ${PATH}/effect`, { body: effect })
    .on(`POST ${PATH}/price`, new Promise<'no network'>((resolve) => (answer = resolve)))
  const { person } = renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await person.type(await screen.findByLabelText('New price ($)'), '125')
  await person.click(screen.getByRole('button', { name: 'Preview the effects' }))
  await person.click(await screen.findByRole('button', { name: 'Change price now' }))
  const away = screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' })
  await person.click(away)
  expect(away.isConnected && away.disabled).toBe(true)
  answer('no network')
  await screen.findByText(/We couldn’t reach the site/)
  await person.click(away)
  expect(away.isConnected).toBe(false)
})

test('server errors are shown under their fields; input survives a closed tab', async () => {
  api.current.on(`GET ${PATH}`, found(annual))
  api.current.on(
    `POST ${PATH}/effect`,
    errorResponse(400, 'INVALID_INPUT', 'Please check.', { amount: 'This is already the price of the level' }),
  )
  const first = renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await first.person.type(await screen.findByLabelText('New price ($)'), '100')
  await first.person.click(screen.getByRole('button', { name: 'Preview the effects' }))
  await waitFor(() => expect(screen.getByLabelText('New price ($)').getAttribute('aria-invalid')).toBe('true'))
  first.unmount()
  renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  expect((await screen.findByLabelText<HTMLInputElement>('New price ($)')).value).toBe('100')
})

test('a scheduled price is shown and canceled', async () => {
  api.current.on(`GET ${PATH}`, found({ ...annual, planned: change }, [change]))
  api.current.on(`POST ${PATH}/changes/c1/withdraw`, found(annual, [{ ...change, state: 'withdrawn' }]))
  const { person } = renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await screen.findByText(/^\$125 is planned from January 1, 2027 on/)
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByText('Canceled')
  screen.getByLabelText('New price ($)')
})

test('progress is shown while members are moved; a read-only role changes nothing', async () => {
  const moving = { ...change, state: 'begun' as const, moves: { waiting: 3, moved: 8, gone: 0 } }
  api.current.on(`GET ${PATH}`, found(annual, [moving], false))
  renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await screen.findByText(/8 of 11 subscriptions moved/)
  expect(screen.getByRole('progressbar', { name: 'Subscriptions moved' }).getAttribute('value')).toBe('8')
  expect(screen.queryByRole('button', { name: /Save|Show|Take/ })).toBeNull()
})

test('a level changed by another officer is overwritten only after its newer version was shown', async () => {
  const theirs = { ...annual, name: 'Yearly Member', isOnSale: false, version: 'v2' }
  api.current
    .on(`GET ${PATH}`, found(annual), found(theirs))
    .on(`PUT ${PATH}`, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  const { person } = renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await person.type(await screen.findByLabelText('Description'), ' And dentists.')
  await saveByKey(person)
  await screen.findByText('Someone else changed this in the meantime.')
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Yearly Member'))
  expect(screen.getByLabelText<HTMLInputElement>('Available to new members').checked).toBe(false)
  screen.getByText('Someone else changed this in the meantime.')
  const body = { name: 'Yearly Member', description: 'For physicians. And dentists.', isOnSale: false, version: 'v2' }
  api.current.on(`PUT ${PATH}`, found({ ...theirs, ...body, version: 'v3' }))
  await saveByKey(person)
  await screen.findByText('Saved. The change is live.')
  expect(api.current.requestsTo(`PUT ${PATH}`)[1]?.body).toEqual(body)
})

test('a draft is shown next to what another officer saved since', async () => {
  api.current.on(`GET ${PATH}`, found(annual))
  const first = renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await first.person.type(await screen.findByLabelText('Description'), ' And dentists.')
  first.unmount()
  api.current.on(
    `GET ${PATH}`,
    found({ ...annual, name: 'Yearly Member', description: 'For physicians in Georgia.', version: 'v2' }),
  )
  renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Yearly Member')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('For physicians. And dentists.')
  within(screen.getByRole('group', { name: 'Newer version' })).getByText('For physicians in Georgia.')
})

test('after a conflict the effects of the price are calculated again', async () => {
  api.current
    .on(`GET ${PATH}`, found(annual))
    .on(`POST ${PATH}/effect`, { body: effect }, { body: { ...effect, movesAtNext: 7, version: 'v2' } })
    .on(`POST ${PATH}/price`, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  const { person } = renderPage(() => <DuesLevelPage id="annual_member" />, { at: '/console/dues/annual_member' })
  await person.type(await screen.findByLabelText('New price ($)'), '125')
  await person.click(screen.getByRole('button', { name: 'Preview the effects' }))
  await person.click(await screen.findByRole('button', { name: 'Change price now' }))
  await screen.findByText(/^7 members pay \$125/)
  screen.getByText('Someone else changed this in the meantime.')
  api.current.on(`POST ${PATH}/price`, found({ ...annual, unitAmount: 12_500, version: 'v3' }))
  await person.click(screen.getByRole('button', { name: 'Change price now' }))
  await screen.findByText('The new price is in effect.')
  expect(api.current.requestsTo(`POST ${PATH}/price`)[1]?.body).toMatchObject({ version: 'v2' })
})
