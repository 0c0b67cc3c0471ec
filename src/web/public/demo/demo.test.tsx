import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { redirectTo } from '#web/api/redirect.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage, user } from '#tests/support/web/page-test-helpers.tsx'
import DemoPage from './demo.tsx'
import { linkedText } from './linked-text.rules.ts'

vi.mock('#web/api/redirect.ts', () => ({ redirectTo: vi.fn<() => Promise<void>>(async () => {}) }))

const api = useFakeApi()
const DEMO = 'GET /api/demo'
const ENTER = 'POST /api/demo/enter'
const token = tokenFor(3_600)
const demo = {
  people: [
    { email: 'annual@example.org', name: 'Meera Raghuvanshi', about: 'A member.', isOfficer: false },
    { email: 'officer@example.org', name: 'Nandini Sen-Ravi', about: 'The president.', isOfficer: true },
  ],
  guestAddress: 'guest-1@example.org',
  resetsAt: '2026-12-01T12:00:00.000Z',
}
const email = {
  id: '7',
  to: 'guest-1@example.org',
  subject: 'Please confirm',
  text: 'Open https://association.example/newsletter/confirm?token=x or https://evil.example/x.',
  receivedAt: '2026-12-01T11:30:00.000Z',
}

test('lists the people, and logs in as one with one button', async () => {
  api.current.on(DEMO, { body: demo }).on('GET /api/demo/emails', { body: { emails: [] } })
  api.current.on(ENTER, { body: { token, user, subscription: null } })
  const { person } = renderPage(DemoPage, { at: '/demo' })
  const officers = within(await screen.findByRole('region', { name: 'Officers' }))
  officers.getByRole('heading', { name: 'Nandini Sen-Ravi' })
  expect(officers.queryByText('Meera Raghuvanshi')).toBeNull()
  await person.click(officers.getByRole('button', { name: 'Log in as Nandini' }))
  await vi.waitFor(() => expect(redirectTo).toHaveBeenCalledWith('/console'))
  expect(localStorage.getItem('token')).toBe(token)
  expect(api.current.sent.find(({ path }) => path === '/api/demo/enter')?.body).toEqual({
    email: 'officer@example.org',
  })
})

test('shows the emails to this browser as text, with links to the site only', async () => {
  api.current.on(DEMO, { body: demo }).on('GET /api/demo/emails', { body: { emails: [email] } })
  renderPage(DemoPage, { at: '/demo' })
  const emails = within(await screen.findByRole('region', { name: 'Emails' }))
  await emails.findByText('Please confirm (to guest-1@example.org)')
  expect(emails.getAllByText(/https:/, { selector: 'a' }).map((link) => link.getAttribute('href'))).toEqual([
    '/newsletter/confirm?token=x',
  ])
})

test('says why someone cannot be logged in as, and stays', async () => {
  api.current.on(DEMO, { body: demo }).on('GET /api/demo/emails', { body: { emails: [] } })
  api.current.on(ENTER, {
    status: 409,
    body: { message: 'Another visitor has closed this account.', code: 'DEMO_PERSON_GONE' },
  })
  const { person } = renderPage(DemoPage, { at: '/demo' })
  await person.click(await screen.findByRole('button', { name: 'Log in as Meera' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Another visitor has closed this account.')
})

test.each([
  ['https://a.example/x', '/x'],
  ['https://a.example.evil.example/x', null],
  ['https://a.example@evil.example/', null],
  ['//evil.example', null],
])('a text with %s links to %s', (text, path) => {
  expect(
    linkedText(text, 'https://a.example')
      .map((part) => part.path)
      .find((found) => found !== null) ?? null,
  ).toBe(path)
})
