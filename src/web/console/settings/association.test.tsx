import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ContentRecord } from '#contract/console/content.ts'
import { aField } from '#tests/support/web/content-field.ts'
import { openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()

function aSection(kind: string, label: string, [name, fieldLabel]: [string, string], value: object): ContentRecord {
  return {
    kind: { kind, label, one: kind, lead: '', section: 'Settings', isSingle: true, canAdd: false },
    fields: [aField('line', name, fieldLabel)],
    id: 'all',
    title: label,
    value: value as ContentRecord['value'],
    state: 'published',
    version: '1-a',
    path: '/',
    publishAt: null,
    held: null,
    revisions: [],
    canDelete: false,
  }
}

test('the top bar names the changed fields of every section, also those within a part, and saves all of them', async () => {
  const sections = [
    aSection('association', 'The association', ['address.street', 'Street'], { address: { street: '1 Old Road' } }),
    aSection('accounting', 'Accounting', ['accounts.bank', 'Bank account'], { accounts: { bank: 'Checking' } }),
  ]
  api.current.on('GET /api/console/content', { body: { kinds: sections.map(({ kind }) => ({ ...kind, drafts: 0 })) } })
  for (const record of sections) {
    const path = `/api/console/content/${record.kind.kind}/all`
    api.current.on(`GET ${path}`, { body: record }).on(`PUT ${path}`, { body: { ...record, version: '2-b' } })
  }
  const person = openConsole('/console/settings')
  await person.type(await screen.findByLabelText('Street', {}, { timeout: 5_000 }), ', Suite 2')
  await person.type(await screen.findByLabelText('Bank account'), ' 1')
  const bar = screen.getByRole('group', { name: 'Unsaved changes' })
  within(bar).getByText('Unsaved: Street, Bank account')
  await person.click(within(bar).getByRole('button', { name: 'Save' }))
  const sent = (kind: string) => api.current.requestsTo(`PUT /api/console/content/${kind}/all`)[0]?.body
  await waitFor(() => expect(sent('accounting')).toMatchObject({ value: { accounts: { bank: 'Checking 1' } } }))
  expect(sent('association')).toMatchObject({ value: { address: { street: '1 Old Road, Suite 2' } } })
})
