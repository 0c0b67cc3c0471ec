import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GET_OFFICER, officerWith, openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const SEARCH = 'GET /api/console/search'

beforeEach(() => {
  window.scrollTo = () => {}
  api.current.on('GET /api/console/officers', {
    body: { terms: [], mayChange: true, year: { startsOn: '2026-07-01', endsOn: '2027-06-30' } },
  })
})

const navigation = () => screen.findByRole('navigation', { name: 'Console' })

test('the navigation has the groups of the officer’s role, and says where something waits', async () => {
  api.current.on(GET_OFFICER, { body: officerWith(['treasurer']) }).on('GET /api/console/today', {
    body: { tasks: [{ key: 'messages', count: 4, urgency: 'soon', detail: null }] },
  })
  openConsole('/console/officers')
  const list = await navigation()
  expect(
    within(list)
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['People', 'Money', 'Sponsors', 'Settings'])
  expect(within(list).queryByRole('link', { name: /^Inbox/ })).toBeNull()
})

test('what waits for an officer is counted beside its entry', async () => {
  api.current.on('GET /api/console/today', {
    body: {
      tasks: [
        { key: 'credentials', count: 4, urgency: 'soon', detail: null },
        { key: 'credentials-again', count: 3, urgency: 'calm', detail: null },
      ],
    },
  })
  openConsole('/console/officers')
  await within(await navigation()).findByRole('link', { name: /^Credentials 7\s*waiting$/ })
})

test('search opens with a key, shows groups and opens the chosen result, which is offered first next time', async () => {
  api.current.on(SEARCH, {
    body: {
      groups: [
        { group: 'members', results: [{ title: 'Rao, Anika', detail: 'anika@example.org', url: '/console/access' }] },
      ],
    },
  })
  const person = openConsole('/console/officers')
  await screen.findByRole('heading', { name: 'Officers & roles', level: 1 })
  await person.keyboard('/')
  const field = await screen.findByRole('combobox')
  await person.type(field, 'rao')
  await screen.findByRole('option', { name: /Rao, Anika/ })
  expect(api.current.requestsTo(SEARCH).at(-1)?.query).toEqual({ q: 'rao' })
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  await person.click(screen.getByRole('button', { name: /^Search members/ }))
  await person.type(await screen.findByRole('combobox'), 'newsl')
  await person.click(await screen.findByRole('option', { name: /^New: Newsletter/ }))
  expect(JSON.parse(localStorage.getItem('console-opened') ?? '')).toMatchObject([{ title: 'New: Newsletter' }])
})

test('a failed search says so', async () => {
  api.current.on(SEARCH, 'no network')
  const person = openConsole('/console/officers')
  await screen.findByRole('heading', { name: 'Officers & roles', level: 1 })
  await person.keyboard('{Control>}k{/Control}')
  await person.type(await screen.findByRole('combobox'), 'gala')
  await screen.findByText(/We couldn’t reach the site/)
})

test('pairs of keys open pages; the list of keys can turn them off', async () => {
  api.current.on('GET /api/console/audit', { body: { entries: [], next: null } })
  const person = openConsole('/console/officers')
  await screen.findByRole('heading', { name: 'Officers & roles', level: 1 })
  await person.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  within(dialog).getByText('New: Member')
  await person.click(within(dialog).getByRole('checkbox', { name: /Use keyboard shortcuts/ }))
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await person.keyboard('?')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(localStorage.getItem('officer-shortcuts-off')).toBe('yes')
})

test('the top bar names what is not saved instead of the search, discards it with an undo, and saves it', async () => {
  const level = {
    key: 'annual_member',
    name: 'Annual member',
    description: '',
    unitAmount: 10_000,
    currency: 'usd',
    interval: 'year',
    intervalCount: 1,
    isRecurring: true,
    isOnSale: true,
    holders: 0,
    charged: [],
    planned: null,
    version: 'v1',
  }
  const PATH = '/api/console/dues/annual_member'
  api.current.on(`GET ${PATH}`, { body: { level, changes: [], mayChange: true } })
  const person = openConsole('/console/dues/annual_member')
  await person.type(await screen.findByLabelText('Name', {}, { timeout: 5_000 }), 's')
  const bar = screen.getByRole('group', { name: 'Unsaved changes' })
  within(bar).getByText('Unsaved: Name')
  await person.click(screen.getByRole('checkbox', { name: 'Available to new members' }))
  within(bar).getByText('Unsaved: Name, Available to new members')

  await person.click(within(bar).getByRole('button', { name: 'Discard' }))
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Annual member')
  expect(screen.queryByRole('group', { name: 'Unsaved changes' })).toBeNull()
  await waitFor(() => expect(document.activeElement?.id).toBe('main'))
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Annual members')

  const saved = { ...level, name: 'Annual members', isOnSale: false, version: 'v2' }
  api.current.on(`PUT ${PATH}`, { body: { level: saved, changes: [], mayChange: true } })
  await person.click(within(bar).getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved. The change is live.')
  expect(api.current.requestsTo(`PUT ${PATH}`)[0]?.body).toMatchObject({ name: 'Annual members', isOnSale: false })
  expect(screen.queryByRole('group', { name: 'Unsaved changes' })).toBeNull()
})
