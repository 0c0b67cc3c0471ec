import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ImportReport } from '#contract/console/import.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { importReport as report } from '#tests/support/web/import-report.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import MemberImportPage from './member-import.tsx'

const api = useFakeApi()
const ONE = 'GET /api/console/member-imports/i1'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const Import = () => <MemberImportPage id="i1" />
const LEVELS = 'POST /api/console/member-imports/i1/levels'
const levelNames: ImportReport['levelNames'] = [
  { key: 'gold', name: 'Gold', rows: 40, choice: 'none', levelKey: null },
  { key: 'lifememberold', name: 'Life Member (old)', rows: 9, choice: 'suggested', levelKey: 'life' },
  { key: '', name: '', rows: 3, choice: 'none', levelKey: null },
]
const first: ImportReport = { ...report, levelNames }
const chosen: ImportReport = {
  ...report,
  counts: { ...report.counts, leftOut: 3 },
  levelNames: [
    { ...levelNames[0]!, choice: 'chosen', levelKey: 'annual' },
    levelNames[1]!,
    { ...levelNames[2]!, choice: 'left-out' },
  ],
}

test('names of levels in a file are matched to levels before the import, which names what was only suggested', async () => {
  api.current.on(ONE, { body: first }).on(LEVELS, { body: chosen })
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await screen.findByText('Choose the level for Gold, (no level)')
  expect(screen.queryByRole('button', { name: 'Check the file again' })).toBeNull()
  const suggested = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Level of Life Member (old)' })
  expect(suggested.selectedOptions[0]?.text).toBe('Life Member')
  within(suggested.closest('td')!).getByText('Suggested')
  await person.selectOptions(screen.getByRole('combobox', { name: 'Level of Gold' }), 'Annual Member')
  await person.selectOptions(screen.getByRole('combobox', { name: 'Level of (no level)' }), 'Leave out')
  await person.click(screen.getByRole('button', { name: 'Check the file again' }))
  await screen.findByText(/3 rows are left out by level/)
  expect(api.current.requestsTo(LEVELS)[0]?.body).toEqual({
    levels: [
      { key: 'gold', levelKey: 'annual' },
      { key: '', levelKey: null },
    ],
  })
  expect(screen.queryByText(/^Choose the level for/)).toBeNull()
  await person.click(screen.getByRole('button', { name: /^Import 1,940 rows/ }))
  within(await screen.findByRole('dialog')).getByText(
    'Levels that were only suggested: Life Member (old) as Life Member.',
  )
})

test('chosen levels stay if the check fails, and can be reset', async () => {
  api.current.on(ONE, { body: first }).on(LEVELS, 'no network')
  const { person } = renderPage(Import, { at: '/console/member-imports/i1' })
  await person.selectOptions(await screen.findByRole('combobox', { name: 'Level of Gold' }), 'Annual Member')
  await person.click(screen.getByRole('button', { name: 'Check the file again' }))
  await screen.findByText(/We couldn’t reach the site/)
  const gold = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Level of Gold' })
  expect(gold.value).toBe('annual')
  await person.click(screen.getByRole('button', { name: 'Reset' }))
  expect(gold.value).toBe('')
})

test('the levels of an imported file are listed', async () => {
  api.current.on(ONE, { body: { ...report, state: 'done', levelNames: chosen.levelNames } })
  renderPage(Import, { at: '/console/member-imports/i1' })
  const level = async (name: string) => (await screen.findByText(name)).nextElementSibling?.textContent
  expect(await level('Gold')).toBe('imported as Annual Member')
  expect(await level('(no level)')).toBe('not imported')
})
