import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage, user } from '#tests/support/web/page-test-helpers.tsx'
import SetupPage from './setup.tsx'

const api = useFakeApi()
const READ = 'GET /api/setup'
const WRONG = { status: 404, body: { code: 'SETUP_CODE_WRONG', message: 'This set-up code is wrong.' } }
const SETUP = {
  hasOfficer: false,
  profile: 'neutral',
  timeZones: ['UTC', 'America/New_York', 'Europe/London'],
  currencies: ['usd', 'gbp'],
  startedAt: 1,
}
afterEach(() => sessionStorage.clear())

function fill(values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } })
}

function open(at: string) {
  window.history.replaceState(null, '', at)
  return renderPage(SetupPage, { at }).person
}

test('a used code says so, and there is no form', async () => {
  api.current.on(READ, WRONG).on('POST /api/setup/enter', WRONG)
  open('/setup?code=old')
  expect((await screen.findByRole('alert')).textContent).toBe('This set-up code is wrong.')
  expect(screen.queryByRole('button', { name: 'Save and continue' })).toBeNull()
})

test('the code is used once, disappears from the address, and the form creates the first officer', async () => {
  api.current
    .on(READ, WRONG, { body: SETUP })
    .on('POST /api/setup/enter', { status: 204 })
    .on('POST /api/setup/begin', { status: 201, body: { token: 'token', user, restarts: false } })
  const person = open('/setup?code=fresh')
  await screen.findByRole('heading', { name: 'Your association' })
  expect(window.location.search).toBe('')
  expect(api.current.requestsTo('POST /api/setup/enter').map(({ body }) => body)).toEqual([{ code: 'fresh' }])

  await person.click(screen.getByRole('button', { name: 'Save and continue' }))
  await screen.findByText('Please enter the name of the association', { selector: 'p' })
  expect(api.current.requestsTo('POST /api/setup/begin')).toEqual([])

  fill({
    Name: 'Society of Bridge Builders',
    'Short name': 'SBB',
    City: 'Leeds',
    Country: 'gb',
    'First name': 'Asha',
    'Last name': 'Varma',
    Email: 'asha@example.org',
    Username: 'asha',
    Password: 'a-bridge-over-the-aire',
    'Confirm password': 'a-bridge-over-the-aire',
  })
  await person.selectOptions(screen.getByLabelText('Currency'), 'gbp')
  await person.selectOptions(screen.getByLabelText('Time zone'), 'Europe/London')
  await person.click(screen.getByLabelText('Sponsors'))
  await person.click(screen.getByRole('button', { name: 'Save and continue' }))
  await screen.findByRole('heading', { name: 'Your site has a first officer' })
  expect(api.current.requestsTo('POST /api/setup/begin')[0]?.body).toMatchObject({
    associationName: 'Society of Bridge Builders',
    country: 'GB',
    currency: 'gbp',
    timeZone: 'Europe/London',
    profile: 'neutral',
    partsOff: ['sponsors', 'clinic', 'forum', 'scholarships'],
    username: 'asha',
  })
  expect(localStorage.getItem('token')).toBe('token')
})
