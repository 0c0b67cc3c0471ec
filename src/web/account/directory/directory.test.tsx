import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DirectoryEntry } from '#contract/public/my-account/directory.ts'
import {
  button,
  directoryChoiceSample,
  errorUnder,
  field,
  GET_PROFILE,
  openAccount,
  renderAccount,
  useMembersApi,
} from '#tests/support/web/account-test-helpers.tsx'
import { errorResponse } from '#tests/support/web/fake-api.ts'
import { annual, profile, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'

const api = useMembersApi()
const SEARCH = 'GET /api/directory'
const ENTRY = 'GET /api/directory/e1'
const SEND = 'POST /api/directory/e1/message'
const CHOICE = 'GET /api/account/directory'
const CHOOSE = 'PUT /api/account/directory'

const person: DirectoryEntry = {
  id: 'e1',
  firstName: 'Kadambari',
  lastName: 'Patnaik',
  values: [{ key: 'specialty', label: 'Specialty', kind: 'choice', value: 'Nephrology' }],
}
const filters = [{ key: 'specialty', label: 'Specialty', choices: ['Cardiology', 'Nephrology'] }]
const found = { people: [person], page: 1, hasMore: true, filters }

beforeEach(() => {
  api.current.on(SEARCH, { body: found })
  api.current.on(ENTRY, { body: { ...person, isOwn: false, takesMessages: true } })
})

describe('the directory', () => {
  test('shows people with links to their entries, and the next page', async () => {
    renderAccount('/auth/account/directory')
    const link = await screen.findByRole('link', { name: 'Kadambari Patnaik' })
    expect(link.getAttribute('href')).toBe('/auth/account/directory?member=e1')
    screen.getByText('Nephrology', { selector: 'p' })
    expect(screen.getByRole('link', { name: 'Next' }).getAttribute('href')).toContain('page=2')
  })

  test('searches by words and filters, which stand in the address', async () => {
    const { person: visitor } = renderAccount('/auth/account/directory')
    await screen.findByRole('link', { name: 'Kadambari Patnaik' })
    await visitor.type(screen.getByRole('searchbox', { name: 'Search' }), 'patnaik')
    await visitor.selectOptions(screen.getByLabelText('Specialty'), 'Nephrology')
    api.current.on(SEARCH, { body: { ...found, people: [], hasMore: false } })
    await visitor.click(within(screen.getByRole('search')).getByRole('button', { name: 'Search' }))
    await screen.findByText(/No one in the directory matches this/)
    expect(api.current.requestsTo(SEARCH).at(-1)?.query).toEqual({
      q: 'patnaik',
      'field.specialty': 'Nephrology',
      page: '1',
    })
  })

  test('says that a day’s limit is reached, and stays logged in', async () => {
    api.current.on(SEARCH, errorResponse(429, 'RATE_LIMITED', 'Too many attempts.'))
    renderAccount('/auth/account/directory')
    await screen.findByText(/as many people as one day allows/)
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test('is not asked for without an active membership', async () => {
    api.current.on(GET_PROFILE, { body: { profile, subscription: subscriptionTo(annual, { status: 'EXPIRED' }) } })
    renderAccount('/auth/account/directory')
    await screen.findByText('The directory is for members with an active membership.')
    expect(api.current.requestsTo(SEARCH)).toHaveLength(0)
  })

  test('a membership that ended meanwhile does not log out', async () => {
    api.current.on(
      SEARCH,
      errorResponse(403, 'ACTIVE_MEMBERSHIP_REQUIRED', 'The directory is for members with an active membership.'),
    )
    renderAccount('/auth/account/directory')
    await screen.findByText('The directory is for members with an active membership.')
    expect(localStorage.getItem('token')).not.toBeNull()
  })
})

describe('an entry', () => {
  const open = async () => {
    const { person: visitor } = renderAccount('/auth/account/directory?member=e1')
    await screen.findByRole('heading', { name: 'Kadambari Patnaik' })
    return visitor
  }

  test('a message is sent with the choice to show the own address', async () => {
    const visitor = await open()
    await visitor.click(button('Send a message'))
    await visitor.click(button('Send message'))
    expect(errorUnder('Message')).toBeTruthy()
    api.current.on(SEND, { status: 204 })
    await visitor.type(field('Subject'), 'Echo course')
    await visitor.type(field('Message'), 'Shall we go together?')
    await visitor.click(screen.getByRole('checkbox', { name: /my email address/ }))
    await visitor.click(button('Send message'))
    await screen.findByText('Your message is on its way to Kadambari Patnaik.')
    expect(api.current.requestsTo(SEND)[0]?.body).toEqual({
      subject: 'Echo course',
      text: 'Shall we go together?',
      showsAddress: false,
    })
  })

  test('says who receives no messages, and whose entry is one’s own', async () => {
    api.current.on(ENTRY, { body: { ...person, isOwn: false, takesMessages: false } })
    await open()
    screen.getByText('Kadambari does not receive messages through the directory.')
  })

  test('of someone who left says so', async () => {
    api.current.on(ENTRY, errorResponse(404, 'NOT_FOUND', 'There is nothing at this address.'))
    renderAccount('/auth/account/directory?member=e1')
    await screen.findByText('This person is no longer in the directory.')
  })
})

test('a message is reported by the button, not by the link', async () => {
  const { person: visitor } = renderAccount('/auth/account/directory?report=m1')
  await screen.findByRole('heading', { name: 'Report a message' })
  const REPORT = 'POST /api/directory-messages/m1/report'
  expect(api.current.requestsTo(REPORT)).toHaveLength(0)
  api.current.on(REPORT, { status: 204 })
  await visitor.click(button('Report this message'))
  await screen.findByText('Thank you. The officers have the message.')
})

describe('the own choice', () => {
  test('is off at first; switching it on saves it and leads to the own entry', async () => {
    api.current.on(CHOICE, { body: directoryChoiceSample })
    const visitor = await openAccount('profile', 'Member directory')
    const listed = await screen.findByRole('switch', { name: /Show me in the directory/ })
    expect((listed as HTMLInputElement).checked).toBe(false)
    expect(screen.queryByRole('switch', { name: /public page/ })).toBeNull()
    api.current.on(CHOOSE, { body: { ...directoryChoiceSample, inMembers: true, entryId: 'e9' } })
    await visitor.click(listed)
    const link = await screen.findByRole('link', { name: 'See my entry as members do' })
    expect(link.getAttribute('href')).toBe('/auth/account/directory?member=e9')
    expect(api.current.requestsTo(CHOOSE)[0]?.body).toEqual({ inMembers: true, inPublic: false, takesMessages: true })
  })

  test('a failure is said, and the switch stays', async () => {
    api.current.on(CHOICE, { body: directoryChoiceSample })
    const visitor = await openAccount('profile', 'Member directory')
    api.current.on(CHOOSE, { status: 500 })
    await visitor.click(await screen.findByRole('switch', { name: /Show me in the directory/ }))
    await waitFor(() => screen.getByRole('alert'))
    expect(screen.getByRole<HTMLInputElement>('switch', { name: /Show me in the directory/ }).checked).toBe(false)
  })
})
