import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import PaymentImportPage from './payment-import.tsx'

const api = useFakeApi()
const CHECK = 'POST /api/console/payment-import-file'
const RECORD = 'POST /api/console/payment-imports'
const RECENT = 'GET /api/console/payment-imports/recent'
const UNDO = 'POST /api/console/payment-imports/p1/undo'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const digest = 'a'.repeat(64)
const file = {
  digest,
  columns: [
    { heading: 'Mail', column: null, sample: 'a@example.org' },
    { heading: 'Paid', column: 'amount', sample: '100' },
  ],
  counts: { new: 0, known: 0, wrong: 2, total: 0 },
  skipped: [{ line: 2, email: '', sentence: 'This is not an email address.' }],
  verdicts: 'Line,Email',
}
const line = {
  id: 'p1',
  filename: 'old.csv',
  payments: 3,
  at: '2026-11-22T12:00:00.000Z',
  by: 'Meera Rao',
  undoneAt: null,
}

test('columns are chosen, the file is checked again and recorded, and an earlier import is undone', async () => {
  api.current.on(RECENT, { body: { imports: [line] } })
  const chosen = { ...file, columns: [{ ...file.columns[0], column: 'email' }, file.columns[1]] }
  const good = { ...chosen, counts: { new: 2, known: 0, wrong: 0, total: 20_000 }, skipped: [] }
  api.current.on(CHECK, { body: file }, { body: good })
  api.current.on(RECORD, { status: 201, body: { recorded: 2 } })
  api.current.on(UNDO, { body: { removed: 3, kept: 0 } })
  const { person } = renderPage(PaymentImportPage, { at: '/console/payments/import' })
  await person.click(await screen.findByRole('button', { name: 'Review' }))
  await screen.findByText('Choose a file.')
  await person.upload(screen.getByLabelText('Past payments (CSV)'), new File(['x'], 'old.csv', { type: 'text/csv' }))
  await person.click(screen.getByRole('button', { name: 'Review' }))
  await screen.findByText(/Line 2:/)
  await person.selectOptions(screen.getByRole('combobox', { name: 'Import Mail as' }), 'Email')
  await person.click(await screen.findByRole('button', { name: 'Record 2 payments' }))
  await waitFor(() =>
    expect(api.current.requestsTo(RECORD)[0]?.query).toEqual({ filename: 'old.csv', digest, columns: 'email,amount' }),
  )
  expect(api.current.requestsTo(CHECK)[1]?.query).toEqual({ filename: 'old.csv', columns: 'email,amount' })
  await person.click(await screen.findByRole('button', { name: 'Undo' }))
  await person.click(await screen.findByRole('button', { name: 'Undo the import' }))
  await waitFor(() => expect(api.current.requestsTo(UNDO)).toHaveLength(1))
})
