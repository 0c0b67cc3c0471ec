import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CopyTrace, PlantedEntries } from '#contract/console/people/planted-entries.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'
import { recordFieldSample } from '#tests/support/web/record-sample.ts'

const api = useConsoleApi()
const PATH = '/api/console/planted-entries'
const entry: PlantedEntries['entries'][number] = {
  id: 'p1',
  name: 'Indumati Vellore',
  values: [{ key: 'practice', label: 'Practice', kind: 'line', value: 'Lantana Clinic, Suite {number}' }],
  addedAt: '2026-11-02T12:00:00.000Z',
  addedBy: 'Sita Rao',
  removedAt: null,
}
const fields = [recordFieldSample('practice', { label: 'Practice', isRequired: true })]

test('an entry is added with what a listing shows, and removed after a question', async () => {
  api.current.on(`GET ${PATH}`, { body: { entries: [], fields } satisfies PlantedEntries })
  api.current.on(`POST ${PATH}`, { body: { entries: [entry], fields } satisfies PlantedEntries })
  const person = openConsole('/console/planted-entries')
  await person.click(await screen.findByRole('button', { name: 'Add an entry' }))
  await person.type(await screen.findByLabelText('First name'), 'Indumati')
  await person.type(screen.getByLabelText('Last name'), 'Vellore')
  await person.type(screen.getByLabelText('Practice (optional)'), 'Lantana Clinic, Suite {{number}')
  await person.click(screen.getByRole('button', { name: 'Add the entry' }))
  await screen.findByText(/^Added\./)
  expect(api.current.requestsTo(`POST ${PATH}`)[0]?.body).toEqual({
    firstName: 'Indumati',
    lastName: 'Vellore',
    values: { practice: 'Lantana Clinic, Suite {number}' },
  })
  const removed = { entries: [{ ...entry, removedAt: '2026-11-03T12:00:00.000Z' }], fields }
  api.current.on(`POST ${PATH}/p1/remove`, { body: removed satisfies PlantedEntries })
  await person.click(screen.getByRole('button', { name: 'Remove Indumati Vellore' }))
  expect(api.current.requestsTo(`POST ${PATH}/p1/remove`)).toEqual([])
  await person.click(
    within(await screen.findByRole('dialog', { name: 'Remove the entry?' })).getByRole('button', { name: 'Remove' }),
  )
  await screen.findByText(/^Removed\. Copies/)
})

test('the check of a copy names the entry, the log-ins with its number, and days of the public page', async () => {
  api.current.on(`GET ${PATH}`, { body: { entries: [entry], fields } satisfies PlantedEntries })
  const person = openConsole('/console/planted-entries')
  await person.type(await screen.findByLabelText('Text or file content of the copy'), 'Suite 4711')
  const readers = [{ accountId: 'm1', name: 'Meera Rao', isView: false }]
  const trace: CopyTrace = {
    entries: [{ id: 'p1', name: entry.name, hasName: true, found: ['Practice'], readers }],
    publicDays: ['2026-11-02'],
  }
  api.current.on(`POST ${PATH}/trace`, { body: trace })
  await person.click(screen.getByRole('button', { name: 'Check' }))
  await screen.findByText('Copied from the directory for members: Indumati Vellore')
  expect(screen.getByRole('link', { name: 'Meera Rao' }).getAttribute('href')).toBe('/console/members/m1')
  expect(screen.getByText(/^On November 2, 2026\./)).toBeDefined()

  api.current.on(`POST ${PATH}/trace`, { body: { entries: [], publicDays: [] } satisfies CopyTrace })
  await person.click(screen.getByRole('button', { name: 'Check' }))
  await screen.findByText('Nothing found')
})
