import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/console/audit.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import AuditLogPage from './audit-log.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/audit'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const entry: AuditEntry = {
  id: 'e1',
  at: '2030-03-02T15:04:05.000Z',
  actor: 'Asha Iyer',
  actorPath: '/console/members/a1',
  action: 'profile.changed',
  kind: 'members',
  subject: 'Ravi Gupta',
  subjectPath: '/console/members/a2',
  text: { before: 'changed the profile of ', after: '' },
  changes: [{ label: 'Last name', before: 'Gupte', after: 'Gupta' }],
  details: {},
}
const people = [
  { id: 'a1', name: 'Asha Iyer' },
  { id: 'stripe', name: 'Stripe' },
]

test('an entry reads as a sentence whose names lead to their pages, with what changed', async () => {
  api.current.on(LIST, { body: { entries: [entry], hasMore: false, people } })
  const { person } = renderPage(AuditLogPage, { at: '/console/history' })
  const item = (await screen.findByRole('link', { name: 'Ravi Gupta' })).closest('tr') as HTMLElement
  expect(item.textContent).toContain('Asha Iyer changed the profile of Ravi Gupta.')
  expect(within(item).getByRole('link', { name: 'Asha Iyer' }).getAttribute('href')).toBe('/console/members/a1')
  expect(screen.queryByText('Gupte')).toBeNull()
  await person.click(within(item).getByRole('button', { name: /^Details of/ }))
  expect((await screen.findByText('Gupte')).tagName).toBe('DEL')
})

test('the filters of the address are asked for, and a changed filter is asked for at once', async () => {
  api.current.on(LIST, { body: { entries: [], hasMore: false, people } })
  const { person } = renderPage(AuditLogPage, { at: '/console/history?kind=money&from=2030-03-01&to=nonsense' })
  await screen.findByText('No entries match these filters.')
  expect(api.current.requestsTo(LIST)[0]?.query).toEqual({ kind: 'money', from: '2030-03-01' })
  await person.click(screen.getByRole('button', { name: 'Person' }))
  await person.click(await screen.findByRole('radio', { name: 'Asha Iyer' }))
  await waitFor(() =>
    expect(api.current.requestsTo(LIST).at(-1)?.query).toEqual({ kind: 'money', from: '2030-03-01', person: 'a1' }),
  )
  await person.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(api.current.requestsTo(LIST).at(-1)?.query).toEqual({}))
})

test('more entries follow those shown, under the same filters', async () => {
  api.current.on(
    LIST,
    { body: { entries: [entry], hasMore: true, people } },
    { body: { entries: [{ ...entry, id: 'e0', subject: 'Leela Shah' }], hasMore: false, people } },
  )
  const { person } = renderPage(AuditLogPage, { at: '/console/history?kind=members' })
  await person.click(await screen.findByRole('button', { name: 'Show more' }))
  await screen.findByText('Leela Shah')
  screen.getByText('Ravi Gupta')
  expect(api.current.requestsTo(LIST).at(-1)?.query).toEqual({ kind: 'members', before: 'e1' })
})
