import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ConsoleField, ConsoleRecord } from '#contract/console/people/member-record.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { memberDirectorySample, personStateSample, sampleMember as member } from '#tests/support/web/member-sample.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { recordFieldSample } from '#tests/support/web/record-sample.ts'
import MemberPage from './member.tsx'

const api = useFakeApi()
const RECORD = 'GET /api/console/members/m1/record'
const EDIT = 'PUT /api/console/members/m1/record'

function sample(key: string, given: Partial<ConsoleField> = {}): ConsoleField {
  const nothing = { value: null, isPrivate: false, audience: null, confirmedOn: null }
  return { ...recordFieldSample(key, given), ...nothing, ...given }
}

const record: ConsoleRecord = {
  fields: [
    sample('city', { value: 'Macon', audience: 'members', confirmedOn: '2026-03-02' }),
    sample('phone', { kind: 'phone', isPrivate: true, audience: 'owner' }),
    sample('languages', { kind: 'choices', choices: ['Hindi', 'Tamil'] }),
    sample('home', { kind: 'address', widest: 'officers' }),
  ],
  version: 'v1',
  mayEdit: true,
}

beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/console/members/m1/directory', { body: memberDirectorySample })
  api.current.on('GET /api/console/members/m1/state', { body: personStateSample })
  api.current.on('GET /api/console/members/m1/card', { body: { card: null, mayRevoke: false } })
  api.current.on('GET /api/console/members/m1/timeline', { body: { entries: [], next: null } })
  api.current.on('GET /api/console/members/m1', { body: member })
})

async function open(shown: ConsoleRecord = record) {
  api.current.on(RECORD, { body: shown })
  const { person } = renderPage(() => <MemberPage id="m1" />, { at: '/console/members/m1' })
  await screen.findByRole('heading', { name: 'Details' })
  return person
}

test('shows what officers see of the record, and that a value is private', async () => {
  await open()
  const panel = within(await screen.findByRole('region', { name: 'Details' }))
  expect((await panel.findByText('City')).nextElementSibling?.textContent).toBe(
    'MaconFor members, confirmed March 2, 2026',
  )
  expect(panel.getByText('Phone').nextElementSibling?.textContent).toBe('Kept private')
  expect(panel.queryByText('Home')).toBeNull()
})

test('an officer enters values: only those that changed are sent, and never who sees them', async () => {
  const person = await open()
  api.current.on(EDIT, { body: { ...record, version: 'v2' } })
  await person.click(await screen.findByRole('button', { name: 'Edit details' }))
  const form = within(await screen.findByRole('dialog'))
  form.getByText('Phone: the member keeps this private.')
  expect(form.queryByLabelText(/Phone/)).toBeNull()
  await person.click(form.getByRole('checkbox', { name: 'Tamil' }))
  await person.type(form.getByLabelText('Street'), '12 Pecan Street')
  await person.click(form.getByRole('button', { name: 'Save' }))
  await form.findAllByText('Please enter the city')
  expect(api.current.requestsTo(EDIT)).toEqual([])
  await person.type(form.getByLabelText('City', { selector: '[name="values.home.city"]' }), 'Macon')
  await person.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const home = { lines: ['12 Pecan Street', ''], city: 'Macon', region: '', postalCode: '', country: '' }
  expect(api.current.requestsTo(EDIT)[0]?.body).toEqual({ version: 'v1', values: { languages: ['Tamil'], home } })
})

test('after another officer saved, the input stays and the next save has the new version', async () => {
  const person = await open()
  const newer = { ...record, version: 'v2' }
  api.current.on(EDIT, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this.'), { body: newer })
  await person.click(await screen.findByRole('button', { name: 'Edit details' }))
  const form = within(await screen.findByRole('dialog'))
  await person.click(form.getByRole('checkbox', { name: 'Hindi' }))
  api.current.on(RECORD, { body: newer })
  await person.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText('Someone else changed this.')
  await waitFor(() => expect(api.current.requestsTo(RECORD)).toHaveLength(2))
  await person.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(api.current.requestsTo(EDIT)).toHaveLength(2))
  expect(api.current.requestsTo(EDIT)[1]?.body).toEqual({ version: 'v2', values: { languages: ['Hindi'] } })
})

test('is read-only for officers who may not change it, and left out where nothing is asked', async () => {
  await open({ ...record, mayEdit: false })
  await screen.findByText('Macon')
  expect(screen.queryByRole('button', { name: 'Edit details' })).toBeNull()
})
