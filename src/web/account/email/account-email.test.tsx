import { screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test } from 'vitest'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import AccountEmailPage from './account-email.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const CONFIRM = 'POST /api/account/email/confirm'

async function press(at = '/auth/confirm-email?token=abc') {
  const { person } = renderPage(AccountEmailPage, { at })
  await screen.findByRole('heading', { name: 'Use this email address?' })
  expect(api.current.sent).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Use this address' }))
  return person
}

test('nothing happens until the button is used, and the secret leaves the address bar', async () => {
  api.current.on(CONFIRM, { body: { email: 'new@example.com', choosePassword: null } })
  await press()
  const heading = await screen.findByRole('heading', { name: 'Your email address was changed' })
  screen.getByText('new@example.com')
  expect(window.location.search).toBe('')
  expect(api.current.requestsTo(CONFIRM)[0]?.body).toEqual({ token: 'abc' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  expect(screen.getByRole('link', { name: 'Go to your account' }).getAttribute('href')).toBe('/auth/account')
})

test('if officers requested the change, the next step is a new password', async () => {
  const choosePassword = { token: 'next', userId: 'u1' }
  api.current.on(CONFIRM, { body: { email: 'new@example.com', choosePassword } })
  await press()
  const next = await screen.findByRole('link', { name: 'Choose a password' })
  expect(next.getAttribute('href')).toBe('/reset-password?token=next&userId=u1')
  screen.getByText(/your old password no longer works/)
  expect(screen.queryByRole('link', { name: 'Go to your account' })).toBeNull()
})

test('a click from before hydration confirms as well', async () => {
  api.current.on(CONFIRM, { body: { email: 'new@example.com', choosePassword: null } })
  // Like entry.client.tsx, replays the click with the effects that read the URL.
  function EarlyPress() {
    useEffect(() => screen.getByRole('button', { name: 'Use this address' }).click(), [])
    return null
  }
  renderPage(() => [<AccountEmailPage key="page" />, <EarlyPress key="press" />], {
    at: '/auth/confirm-email?token=abc',
  })
  await screen.findByRole('heading', { name: 'Your email address was changed' })
  expect(api.current.requestsTo(CONFIRM).map(({ body }) => body)).toEqual([{ token: 'abc' }])
})

test.each([
  [errorResponse(410, 'EMAIL_LINK_INVALID', 'This link no longer works.'), 'This link no longer works.'],
  [{ status: 500 }, 'Failed to change email address. Please try again.'],
  ['no network' as const, 'Failed to change email address. Please try again.'],
])('%j: %s', async (answer, sentence) => {
  api.current.on(CONFIRM, answer)
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe(sentence)
})

test('a link without its token', async () => {
  await press('/auth/confirm-email')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This link is incomplete. Please open the link in the email again.',
  )
})
