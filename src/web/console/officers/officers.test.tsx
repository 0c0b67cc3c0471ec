import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { ROLE_PURPOSES, ROLES } from '#contract/access.ts'
import type { OfficerTerm } from '#contract/console/console.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import OfficersPage from './officers.tsx'

const api = useFakeApi()
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const term: OfficerTerm = {
  id: 't1',
  accountId: 'm1',
  name: 'Asha Iyer',
  email: 'asha@example.com',
  role: 'editor',
  startsOn: '2026-01-01',
  endsOn: '2026-12-31',
  state: 'now',
  hasSecondFactor: true,
  isLastManager: false,
}
const year = { startsOn: '2026-07-01', endsOn: '2027-06-30' }
const LIST = 'GET /api/console/officers'
const END = 'DELETE /api/console/officers/t1'

async function endTheTerm() {
  const { person } = renderPage(OfficersPage, { at: '/console/officers' })
  await person.click(await screen.findByRole('button', { name: 'Actions for Asha Iyer' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Remove role Editor' }))
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove role' }))
}

test('removing a role lists what that officer had scheduled, with links', async () => {
  const held = [{ title: 'Spring gala', path: '/console/content/news/spring-gala', at: '2026-12-01T13:00:00.000Z' }]
  api.current.on(LIST, { body: { terms: [term], mayChange: true, year } })
  api.current.on(END, { body: { terms: [{ ...term, state: 'over' }], mayChange: true, year, held } })
  await endTheTerm()
  await screen.findByText('Scheduled items on hold')
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Spring gala' })
  expect(link.getAttribute('href')).toBe('/console/content/news/spring-gala')
})

test('no hold banner without held items; an error is shown', async () => {
  api.current.on(LIST, { body: { terms: [term], mayChange: true, year } })
  const sentence = 'At least one officer must be able to manage roles.'
  api.current.on(END, errorResponse(409, 'LAST_PRESIDENT', sentence))
  await endTheTerm()
  await screen.findByText(sentence)
  expect(screen.queryByText(/was held/)).toBeNull()
})

test('the role of the only officer who can manage roles is not offered for removal, and the list says why', async () => {
  const president = { ...term, role: 'president', isLastManager: true } as const
  api.current.on(LIST, { body: { terms: [president], mayChange: true, year } })
  renderPage(OfficersPage, { at: '/console/officers' })
  await screen.findByText(/^The only one who can manage officers: assign the role to someone else/)
  expect(screen.queryByRole('button', { name: 'Actions for Asha Iyer' })).toBeNull()
})

const ASSIGN = 'POST /api/console/officers'
const SEARCH = 'GET /api/console/members'

describe('assigning a role', () => {
  async function openForm() {
    api.current.on(LIST, { body: { terms: [term], mayChange: true, year } })
    const { person } = renderPage(OfficersPage, { at: '/console/officers?open=assign' })
    const form = within(await screen.findByRole('dialog', { name: 'Assign role' }))
    return { person, form }
  }

  test('a colleague is found by name, each role is explained, and the days are those of the year', async () => {
    const meera = { id: 'm2', firstName: 'Meera', lastName: 'Rao', email: 'meera@example.com', username: 'meera.r' }
    const details = {
      state: 'ACTIVE',
      level: null,
      joinedAt: '2026-01-01T00:00:00.000Z',
      startedAt: null,
      endsAt: null,
      renewal: null,
      credentials: null,
      lastPayment: null,
    }
    api.current.on(SEARCH, {
      body: {
        members: [{ ...meera, ...details }],
        total: 1,
        suggestions: [],
        levels: [],
        mayExport: false,
        fields: [],
        mayLookAtMoney: false,
      },
    })
    api.current.on(ASSIGN, { status: 201, body: { terms: [term], mayChange: true, year } })
    const { person, form } = await openForm()
    for (const role of ROLES) form.getByText(ROLE_PURPOSES[role])
    expect(form.getByLabelText('First day')).toHaveProperty('value', '2026-07-01')
    expect(form.getByLabelText('Last day')).toHaveProperty('value', '2027-06-30')
    await person.type(form.getByLabelText('Member'), 'rao')
    await person.click(await form.findByRole('button', { name: /^Meera Rao/ }))
    await person.click(form.getByRole('radio', { name: /^Treasurer/ }))
    await person.click(form.getByRole('button', { name: 'Assign role' }))
    await screen.findByText(/^Role assigned to Meera Rao\./)
    expect(api.current.requestsTo(ASSIGN)[0]?.body).toEqual({
      email: 'meera@example.com',
      role: 'treasurer',
      startsOn: '2026-07-01',
      endsOn: '2027-06-30',
    })
  })

  test('mistakes are shown before the officer’s identity is confirmed', async () => {
    const { person, form } = await openForm()
    await person.clear(form.getByLabelText('Last day'))
    await person.type(form.getByLabelText('Last day'), '2026-01-01')
    await person.click(form.getByRole('button', { name: 'Assign role' }))
    expect(form.getAllByText('Choose a member from the list').length).toBeGreaterThan(0)
    expect(form.getAllByText('The last day is before the first').length).toBeGreaterThan(0)
    expect(api.current.requestsTo(ASSIGN)).toEqual([])
  })
})

test('the table of roles follows the permissions that the server checks', async () => {
  api.current.on(LIST, { body: { terms: [], mayChange: false, year } })
  renderPage(OfficersPage, { at: '/console/officers' })
  const roles = within(await screen.findByRole('region', { name: 'What each role can do' }))
  const cells = (area: string) =>
    [...roles.getByRole<HTMLTableRowElement>('row', { name: new RegExp(`^${area}`) }).cells].map(
      ({ textContent }) => textContent,
    )
  expect(cells('Payments')).toEqual(['Payments', 'Edit', '–', 'Edit', 'View', '–', 'View'])
  expect(cells('Audit log')).toEqual(['Audit log', 'View', 'View', 'View', '–', '–', '–'])
  expect(screen.queryByRole('button', { name: 'Assign role' })).toBeNull()
})
