import { readFileSync } from 'node:fs'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ContentImportReport } from '#contract/console/website/content-import.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import ContentImportsPage from './content-import-list.tsx'
import ContentImportPage from './content-import.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/content-imports'
const CHECK = 'POST /api/console/content-import-file'
const ONE = 'GET /api/console/content-imports/i1'
const CONFIRM = 'POST /api/console/content-imports/i1/confirm'
const UNDO = 'POST /api/console/content-imports/i1/undo'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const row = {
  line: 1,
  kind: 'news' as const,
  title: 'Spring gala',
  address: 'https://www.peach.example/2019/05/spring-gala/',
  date: '2019-05-04',
  verdict: 'new' as const,
  result: null,
  notes: ['A form was left out.'],
  path: null,
}
const report: ContentImportReport = {
  id: 'i1',
  source: 'wordpress',
  filename: 'old.xml',
  site: 'https://www.peach.example/',
  state: 'checked',
  by: 'Meera Rao',
  createdAt: '2026-11-21T12:00:00.000Z',
  undoneAt: null,
  counts: { new: 1, draft: 2, known: 0, wrong: 1 },
  leftOut: [{ what: 'Menu items', count: 12 }],
  takesDrafts: false,
  publishes: false,
  progress: { done: 0, total: 0 },
  results: { draft: 0, published: 0, failed: 0, removed: 0 },
  redirects: 0,
  pictures: { found: 3, stored: 0, failed: [] },
  rows: [row],
  total: 4,
  undo: null,
  undoBegunAt: null,
  undoneBy: null,
}
const done: ContentImportReport = {
  ...report,
  state: 'done',
  results: { draft: 2, published: 1, failed: 0, removed: 0 },
  redirects: 5,
  pictures: { found: 3, stored: 2, failed: [{ url: 'https://www.peach.example/a.jpg', reason: 'It is gone.' }] },
  rows: [{ ...row, result: 'published', path: '/console/content/news/spring-gala' }],
  undo: { removes: 2, keeps: 1, kept: [{ title: 'Programme', path: '/console/content/added-pages/programme' }] },
}
const Import = () => <ContentImportPage id="i1" />

test('an export is read in the browser, which sends texts and no addresses of people', async () => {
  api.current.on(LIST, { body: { imports: [report] } })
  api.current.on(CHECK, { status: 201, body: report })
  const { person } = renderPage(ContentImportsPage, { at: '/console/content-imports' })
  await screen.findByRole('link', { name: 'old.xml' })
  const review = screen.getByRole('button', { name: 'Review' })
  await person.click(review)
  await screen.findByText('Choose a file.')
  const field = screen.getByLabelText('Export (XML, JSON or ICS)')
  await person.upload(field, new File(['<html></html>'], 'page.xml', { type: 'text/xml' }))
  await person.click(review)
  await screen.findByText(/^This is not an export/)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await person.upload(field, new File(['{}'], 'ghost.json', { type: 'application/json' }))
  await screen.findByLabelText('Old website address')
  const xml = readFileSync('tests/support/exports/wordpress.xml', 'utf8')
  await person.upload(field, new File([xml], 'wordpress.xml', { type: 'text/xml' }))
  expect(screen.queryByLabelText('Old website address')).toBeNull()
  await person.click(review)
  await waitFor(() => expect(api.current.requestsTo(CHECK)).toHaveLength(1))
  expect(api.current.requestsTo(CHECK)[0]?.query).toEqual({ filename: 'wordpress.xml' })
})

test('a review says what becomes of each row, and imports what the officer chooses', async () => {
  api.current.on(ONE, { body: report })
  api.current.on(CONFIRM, { body: done })
  const { person } = renderPage(Import, { at: '/console/content-imports/i1' })
  const line = (await screen.findByRole('rowheader', { name: /^Spring gala/ })).closest('tr') as HTMLElement
  within(line).getByText('News item')
  within(line).getByText('May 4, 2019')
  within(line).getByText('A form was left out.')
  screen.getByText('Menu items: 12')
  screen.getByText(/3 pictures are fetched from the former website/)
  screen.getByRole('button', { name: 'Import 1 row' })
  await person.click(screen.getByLabelText(/^Also import 2 rows that were a draft/))
  await person.click(screen.getByLabelText(/^Publish what was published/))
  api.current.on(ONE, { body: done })
  await person.click(screen.getByRole('button', { name: 'Import 3 rows' }))
  await screen.findByText(/1 published, 2 saved as drafts/)
  expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ takesDrafts: true, publishes: true })
  screen.getByText(/2 pictures stored in Media. 5 old addresses lead to the new pages./)
  expect(screen.getByRole('link', { name: 'Spring gala' }).getAttribute('href')).toBe(
    '/console/content/news/spring-gala',
  )
  screen.getByText('It is gone.')
})

test('an import is undone after a confirmation that says what stays', async () => {
  api.current.on(ONE, { body: done })
  api.current.on(UNDO, { body: done })
  const { person } = renderPage(Import, { at: '/console/content-imports/i1' })
  await person.click(await screen.findByRole('button', { name: 'Undo import, remove 2 records' }))
  screen.getByText('Records that will stay')
  const undone = {
    ...done,
    undoneAt: '2026-11-22T12:00:00.000Z',
    undoBegunAt: '2026-11-22T12:00:00.000Z',
    undoneBy: 'Meera Rao',
  }
  api.current.on(ONE, {
    body: { ...undone, results: { ...done.results, removed: 2 }, undo: { ...done.undo, removes: 0 } },
  })
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await screen.findByText(/Meera Rao undid this import/)
  screen.getByText('1 record stayed, because someone had changed them.')
})
