import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ImportReport } from '#contract/console/import.ts'
import { importReport as report } from '#tests/support/web/import-report.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { advanceTime, renderPage, fakeClock } from '#tests/support/web/page-test-helpers.tsx'
import MemberImportPage from './member-import.tsx'
import MemberImportsPage from './import-list.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/member-imports'
const CHECK = 'POST /api/console/member-import-file'
const ONE = 'GET /api/console/member-imports/i1'
const CONFIRM = 'POST /api/console/member-imports/i1/confirm'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const UNDO = 'POST /api/console/member-imports/i1/undo'
const done: ImportReport = {
  ...report,
  state: 'done',
  finishedAt: '2026-11-21T12:05:00.000Z',
  progress: { done: 1_940, total: 1_940 },
  undo: { removes: 1_899, keeps: 1, kept: [{ id: 'a7', name: 'Nila Rao', because: 'logged-in' }] },
}
const Import = () => <MemberImportPage id="i1" />

test('a file is chosen, and what is wrong with it as a whole stands under the field', async () => {
  api.current.on(LIST, { body: { imports: [report] } })
  api.current.on(
    CHECK,
    errorResponse(400, 'INVALID_INPUT', 'The file has no column lastName.', {
      file: 'The file has no column lastName.',
    }),
  )
  const { person } = renderPage(MemberImportsPage, { at: '/console/member-imports' })
  await screen.findByRole('link', { name: 'old list.csv' })
  await person.click(screen.getByRole('button', { name: 'Review' }))
  await screen.findByText('Choose a file.')
  const field = screen.getByLabelText('Members (CSV)')
  await person.upload(field, new File(['x'.repeat(2 * 1024 * 1024 + 1)], 'large.csv', { type: 'text/csv' }))
  await person.click(screen.getByRole('button', { name: 'Review' }))
  await screen.findByText('The file is larger than 2 MB. Split the list into two files.')
  await person.upload(field, new File(['email'], 'members.csv', { type: 'text/csv' }))
  await person.click(screen.getByRole('button', { name: 'Review' }))
  await screen.findByText('The file has no column lastName.')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(api.current.requestsTo(CHECK)[0]?.query).toEqual({ filename: 'members.csv' })
})

test('previews every row, and imports the valid rows after a confirmation, without emails', async () => {
  api.current.on(ONE, { body: report })
  api.current.on(CONFIRM, { body: { ...report, state: 'done', changed: [], progress: { done: 1_940, total: 1_940 } } })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  const row = (await screen.findByRole('rowheader', { name: /^Line 7/ })).closest('tr') as HTMLElement
  within(row).getByText('Email')
  within(row).getByText('This is no address.')
  within(row).getByText('Write one address.')
  expect(screen.getByLabelText('Import Fax as')).toHaveProperty('value', '')
  screen.getByText('2026-01-01')
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('60 rows are skipped.')
  within(dialog).getByText(/No emails are sent now/)
  await person.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.current.requestsTo(CONFIRM)).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  await screen.findByRole('dialog')
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Import' }))
  await screen.findByText(/1,940 rows imported/)
  expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ sendsInvitations: false })
})

test('a wrong cell is corrected in place, and a first day is chosen for all rows', async () => {
  const CORRECT = 'POST /api/console/member-imports/i1/rows/7'
  const COLUMNS = 'POST /api/console/member-imports/i1/columns'
  const fixed = { ...report, wrong: [], startsOn: '2026-11-21', counts: { ...report.counts, new: 1_901, wrong: 0 } }
  api.current.on(ONE, { body: { ...report, startsOn: '2026-11-21' } }).on(CORRECT, { body: fixed })
  api.current.on(COLUMNS, { body: { ...fixed, startsOn: '2026-07-01' } })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  const cell = await screen.findByLabelText<HTMLInputElement>('Email in line 7')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Correct' }).disabled).toBe(true)
  await person.clear(cell)
  await person.type(cell, 'nila@example.com{Enter}')
  await waitFor(() => expect(screen.queryByLabelText('Email in line 7')).toBeNull())
  expect(api.current.requestsTo(CORRECT)[0]?.body).toEqual({
    column: 'email',
    before: 'nila at example',
    after: 'nila@example.com',
  })
  const start = screen.getByLabelText<HTMLInputElement>('Began on, for all rows')
  expect(start.value).toBe('2026-11-21')
  fireEvent.change(start, { target: { value: '2026-07-01' } })
  await person.click(screen.getByRole('button', { name: 'Check the file again' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Check the file again' })).toBeNull())
  expect(api.current.requestsTo(COLUMNS)[0]?.body).toEqual({ columns: ['email', null], startsOn: '2026-07-01' })
})

test('counts of one are in the singular, before and after the import', async () => {
  const one = { ...report, counts: { ...report.counts, rows: 3, new: 1, changed: 1, wrong: 1 } }
  api.current.on(ONE, { body: one })
  api.current.on(CONFIRM, { body: { ...one, state: 'done', sendsInvitations: true, progress: { done: 2, total: 2 } } })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText('1 person would change')
  await person.click(await screen.findByRole('checkbox', { name: /^Email the new member a link/ }))
  await person.click(screen.getByRole('button', { name: 'Import 2 rows' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('1 row becomes a new member, with an account.')
  within(dialog).getByText('1 row changes an existing member.')
  within(dialog).getByText('1 row is skipped.')
  await person.click(within(dialog).getByRole('button', { name: 'Import' }))
  await screen.findByText(/The new member gets an email now/)
  await screen.findByText(/1 row was skipped. Export it, fix it/)
  screen.getByText('1 person changed')
})

test('emails are sent when checked; a network error keeps the choice', async () => {
  api.current.on(ONE, { body: report })
  api.current.on(CONFIRM, 'no network', { body: { ...report, state: 'running' } })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await person.click(await screen.findByRole('checkbox', { name: /^Email the new members/ }))
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  await person.click(await screen.findByRole('button', { name: 'Import' }))
  await screen.findByText(/We couldn’t reach the site/)
  screen.getByRole('checkbox', { name: /^Email the new members/, checked: true })
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  await person.click(await screen.findByRole('button', { name: 'Import' }))
  await screen.findByRole('progressbar', { name: 'Rows imported' })
  expect(api.current.requestsTo(CONFIRM)[1]?.body).toEqual({ sendsInvitations: true })
})

test('a running import is followed to its end', async () => {
  const running = { ...report, state: 'running' as const, progress: { done: 400, total: 1_940 } }
  const done = { ...report, state: 'done' as const, progress: { done: 1_940, total: 1_940 } }
  api.current.on(ONE, { body: running }, { body: done })
  renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText(/400 of 1,940 rows/)
  expect(screen.queryByRole('button', { name: 'Export these rows' })).toBeNull()
  await waitFor(() => screen.getByText(/1,940 rows imported/), { timeout: 4_000 })
  screen.getByRole('button', { name: 'Export these rows' })
})

describe('on a slow line', () => {
  const running = { ...report, state: 'running' as const, progress: { done: 400, total: 1_940 } }
  beforeEach(fakeClock)
  afterEach(() => void vi.useRealTimers())

  test('an import is asked about again only after the answer, however late that comes', async () => {
    let answer: (answer: object) => void = () => {}
    api.current.on(ONE, { body: running }, new Promise<object>((resolve) => (answer = resolve)), 'never')
    renderPage(Import, { at: '/console/member-imports/i1' })
    await screen.findByText(/400 of 1,940 rows/)
    for (let tick = 0; tick < 4; tick++) await advanceTime(2_100)
    answer({ body: { ...running, progress: { done: 900, total: 1_940 } } })
    await screen.findByText(/900 of 1,940 rows/)
    expect(api.current.requestsTo(ONE).length).toBe(2)
    await advanceTime(2_500)
    expect(api.current.requestsTo(ONE).length).toBe(3)
  })

  test('a failed request is shown and does not stop polling', async () => {
    let answer: (answer: object) => void = () => {}
    api.current.on(ONE, { body: running }, 'no network', new Promise<object>((resolve) => (answer = resolve)))
    renderPage(Import, { at: '/console/member-imports/i1' })
    await screen.findByText(/400 of 1,940 rows/)
    await advanceTime(2_500)
    await advanceTime(2_500)
    expect(api.current.requestsTo(ONE).length).toBe(3)
    screen.getByText(/We couldn’t reach the site/)
    answer({ body: { ...report, state: 'done', progress: { done: 1_940, total: 1_940 } } })
    await screen.findByText(/1,940 rows imported/)
    expect(screen.queryByText(/We couldn’t reach the site/)).toBeNull()
  })
})

test('undoing an import shows its effects, asks for confirmation and is followed until it finishes', async () => {
  const going = { ...done, undoBegunAt: '2026-11-21T13:00:00.000Z', undoneBy: 'Meera Rao' }
  api.current.on(ONE, { body: done }, { body: { ...going, undoneAt: '2026-11-21T13:01:00.000Z' } })
  api.current.on(UNDO, { body: going })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText(/Removes 1,899 accounts that this import created and no one has used since/)
  expect(screen.getByRole('link', { name: 'Nila Rao' }).closest('li')?.textContent).toBe('Nila Rao chose a password')
  await person.click(screen.getByRole('button', { name: 'Undo import, remove 1,899 accounts' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/1 account stays because it has been used or changed since/)
  within(dialog).getByText(/Existing members keep the imported changes: 40/)
  await person.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.current.requestsTo(UNDO)).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Undo import, remove 1,899 accounts' }))
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await screen.findByText(/Undoing: 1,899 accounts left/)
  await screen.findByText(/Meera Rao undid it on/)
  screen.getByRole('heading', { name: 'Undone' })
  expect(screen.queryByText(/rows imported/)).toBeNull()
  expect(screen.queryByRole('button', { name: /^Undo import/ })).toBeNull()
})

test('a file without changes says so and can be discarded', async () => {
  const nothing = {
    ...report,
    counts: { ...report.counts, rows: 3, new: 0, changed: 0, unchanged: 3, wrong: 0 },
    wrong: [],
    changed: [],
  }
  api.current.on(ONE, { body: nothing })
  api.current.on('DELETE /api/console/member-imports/i1', { status: 204 })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText(/There is nothing to import/)
  await person.click(screen.getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(api.current.requestsTo('DELETE /api/console/member-imports/i1')).toHaveLength(1))
})

test('columns are chosen on screen: one field has one column, and the file is checked again', async () => {
  const COLUMNS = 'POST /api/console/member-imports/i1/columns'
  const unmatched: ImportReport = {
    ...report,
    counts: { ...report.counts, new: 0, changed: 0 },
    columns: [
      { heading: 'Contact', column: null, sample: 'a@example.com' },
      { heading: 'Fax', column: 'email', sample: '-' },
    ],
    missing: ['level'],
  }
  api.current.on(ONE, { body: unmatched }).on(COLUMNS, { body: report })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText('Choose the column for Level')
  expect(screen.queryByRole('button', { name: 'Check the file again' })).toBeNull()
  await person.selectOptions(screen.getByLabelText('Import Contact as'), 'Email')
  expect(screen.getByLabelText('Import Fax as')).toHaveProperty('value', '')
  await person.click(screen.getByRole('button', { name: 'Check the file again' }))
  await screen.findByRole('button', { name: 'Import 1,940 rows' })
  expect(api.current.requestsTo(COLUMNS)[0]?.body).toEqual({ columns: ['email', null] })
})
