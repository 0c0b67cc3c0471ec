import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ImportReport } from '#contract/console-import.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { pass, renderPage, replaceClock } from '#web/pages/render-page.tsx'
import MemberImportPage from './member-import.tsx'
import MemberImportsPage from './member-imports.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/member-imports'
const CHECK = 'POST /api/console/member-import-file'
const ONE = 'GET /api/console/member-imports/i1'
const CONFIRM = 'POST /api/console/member-imports/i1/confirm'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const report: ImportReport = {
  id: 'i1',
  filename: 'old list.csv',
  state: 'checked',
  by: 'Meera Rao',
  createdAt: '2026-11-21T12:00:00.000Z',
  finishedAt: null,
  undoneAt: null,
  confirmedAt: null,
  sendsInvitations: false,
  counts: { rows: 2_000, new: 1_900, changed: 40, unchanged: 0, wrong: 60 },
  columns: [
    { heading: 'E-Mail', column: 'email' },
    { heading: 'Fax', column: null },
  ],
  progress: { done: 0, total: 1_940 },
  wrong: [
    {
      line: 7,
      email: 'nila at example',
      faults: [
        { column: 'email', cell: 'nila at example', sentence: 'This is no address.', cure: 'Write one address.' },
      ],
    },
  ],
  changed: [
    { line: 9, email: 'b@example.com', changes: [{ column: 'endsOn', before: '2026-01-01', after: '2027-01-01' }] },
  ],
  undo: null,
  undoBegunAt: null,
  undoneBy: null,
}
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
    refusal(400, 'INVALID_INPUT', 'The file has no column lastName.', { file: 'The file has no column lastName.' }),
  )
  const { person } = renderPage(MemberImportsPage, { at: '/console/member-imports' })
  await screen.findByRole('link', { name: 'old list.csv' })
  await person.click(screen.getByRole('button', { name: 'Look at the file' }))
  await screen.findByText('Please choose a file')
  const field = screen.getByLabelText('List of members, as CSV')
  await person.upload(field, new File(['x'.repeat(2 * 1024 * 1024 + 1)], 'large.csv', { type: 'text/csv' }))
  await person.click(screen.getByRole('button', { name: 'Look at the file' }))
  await screen.findByText('The file is larger than 2 MB. Split the list into two files.')
  await person.upload(field, new File(['email'], 'members.csv', { type: 'text/csv' }))
  await person.click(screen.getByRole('button', { name: 'Look at the file' }))
  await screen.findByText('The file has no column lastName.')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(api.current.of(CHECK)[0]?.query).toEqual({ filename: 'members.csv' })
})

test('says what would happen, row by row, and imports what is right after one more question, without letters', async () => {
  api.current.on(ONE, { body: report })
  api.current.on(CONFIRM, { body: { ...report, state: 'done', changed: [], progress: { done: 1_940, total: 1_940 } } })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  const row = (await screen.findByRole('rowheader', { name: /^Line 7/ })).closest('tr') as HTMLElement
  within(row).getByText('Email')
  within(row).getByText('This is no address.')
  within(row).getByText('Write one address.')
  screen.getByText('Passed over: Fax.')
  screen.getByText('2026-01-01')
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('60 rows are left out.')
  within(dialog).getByText(/Nobody is written to now/)
  await person.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.current.of(CONFIRM)).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  await screen.findByRole('dialog')
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Import' }))
  await screen.findByText(/1,940 rows imported/)
  expect(api.current.of(CONFIRM)[0]?.body).toEqual({ sendsInvitations: false })
})

test('one of each is told as one, and what was imported as done', async () => {
  const one = { ...report, counts: { rows: 3, new: 1, changed: 1, unchanged: 0, wrong: 1 } }
  api.current.on(ONE, { body: one })
  api.current.on(CONFIRM, { body: { ...one, state: 'done', sendsInvitations: true, progress: { done: 2, total: 2 } } })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText('1 person would change')
  await person.click(await screen.findByRole('checkbox', { name: /^Write to the new member:/ }))
  await person.click(screen.getByRole('button', { name: 'Import 2 rows' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('1 row becomes a new member, with an account.')
  within(dialog).getByText('1 row changes somebody who is here already.')
  within(dialog).getByText('1 row is left out.')
  await person.click(within(dialog).getByRole('button', { name: 'Import' }))
  await screen.findByText(/The new member gets a letter now/)
  await screen.findByText(/1 row was left out; save it, put it right/)
  screen.getByText('1 person changed')
})

test('letters go out when they are ticked; a lost network loses nothing that was ticked', async () => {
  api.current.on(ONE, { body: report })
  api.current.on(CONFIRM, 'no network', { body: { ...report, state: 'running' } })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await person.click(await screen.findByRole('checkbox', { name: /^Write to the new members/ }))
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  await person.click(await screen.findByRole('button', { name: 'Import' }))
  await screen.findByText(/The site did not answer/)
  screen.getByRole('checkbox', { name: /^Write to the new members/, checked: true })
  await person.click(screen.getByRole('button', { name: 'Import 1,940 rows' }))
  await person.click(await screen.findByRole('button', { name: 'Import' }))
  await screen.findByRole('progressbar', { name: 'Rows imported' })
  expect(api.current.of(CONFIRM)[1]?.body).toEqual({ sendsInvitations: true })
})

test('a running import is followed to its end', async () => {
  const running = { ...report, state: 'running' as const, progress: { done: 400, total: 1_940 } }
  const done = { ...report, state: 'done' as const, progress: { done: 1_940, total: 1_940 } }
  api.current.on(ONE, { body: running }, { body: done })
  renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText(/400 of 1,940 rows/)
  expect(screen.queryByRole('button', { name: 'Save them as CSV' })).toBeNull()
  await waitFor(() => screen.getByText(/1,940 rows imported/), { timeout: 4_000 })
  screen.getByRole('button', { name: 'Save them as CSV' })
})

describe('on a slow line', () => {
  const running = { ...report, state: 'running' as const, progress: { done: 400, total: 1_940 } }
  beforeEach(replaceClock)
  afterEach(() => void vi.useRealTimers())

  test('an import is asked about again only after the answer, however late that comes', async () => {
    let answer: (answer: object) => void = () => {}
    api.current.on(ONE, { body: running }, new Promise<object>((resolve) => (answer = resolve)), 'never')
    renderPage(Import, { at: '/console/member-imports/i1' })
    await screen.findByText(/400 of 1,940 rows/)
    for (let tick = 0; tick < 4; tick++) await pass(2_100)
    answer({ body: { ...running, progress: { done: 900, total: 1_940 } } })
    await screen.findByText(/900 of 1,940 rows/)
    expect(api.current.of(ONE).length).toBe(2)
    await pass(2_500)
    expect(api.current.of(ONE).length).toBe(3)
  })

  test('a lost answer is told and does not end it', async () => {
    let answer: (answer: object) => void = () => {}
    api.current.on(ONE, { body: running }, 'no network', new Promise<object>((resolve) => (answer = resolve)))
    renderPage(Import, { at: '/console/member-imports/i1' })
    await screen.findByText(/400 of 1,940 rows/)
    await pass(2_500)
    await pass(2_500)
    expect(api.current.of(ONE).length).toBe(3)
    screen.getByText(/The site did not answer/)
    answer({ body: { ...report, state: 'done', progress: { done: 1_940, total: 1_940 } } })
    await screen.findByText(/1,940 rows imported/)
    expect(screen.queryByText(/The site did not answer/)).toBeNull()
  })
})

test('a finished import says what taking it back would do, asks once more, and is followed to its end', async () => {
  const going = { ...done, undoBegunAt: '2026-11-21T13:00:00.000Z', undoneBy: 'Meera Rao' }
  api.current.on(ONE, { body: done }, { body: { ...going, undoneAt: '2026-11-21T13:01:00.000Z' } })
  api.current.on(UNDO, { body: going })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText(/Removes 1,899 accounts that the import made and nobody has used since/)
  expect(screen.getByRole('link', { name: 'Nila Rao' }).closest('li')?.textContent).toBe('Nila Rao chose a password')
  await person.click(screen.getByRole('button', { name: 'Remove 1,899 accounts' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/1 account stays, because somebody has used or changed it since/)
  within(dialog).getByText(/Members who were here before stay as the import changed them: 40/)
  await person.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.current.of(UNDO)).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Remove 1,899 accounts' }))
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await screen.findByText(/It is being taken back; 1,899 accounts to go/)
  await screen.findByText(/Meera Rao undid it on/)
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
})

test('nothing to import is said, and the file is forgotten', async () => {
  const nothing = { ...report, counts: { rows: 3, new: 0, changed: 0, unchanged: 3, wrong: 0 }, wrong: [], changed: [] }
  api.current.on(ONE, { body: nothing })
  api.current.on('DELETE /api/console/member-imports/i1', { status: 204 })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText(/There is nothing to import/)
  await person.click(screen.getByRole('button', { name: 'Forget this file' }))
  await waitFor(() => expect(api.current.of('DELETE /api/console/member-imports/i1')).toHaveLength(1))
})
