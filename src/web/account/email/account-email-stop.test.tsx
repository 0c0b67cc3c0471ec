import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import StopEmailChangePage from './account-email-stop.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const STOP = 'POST /api/account/email/stop'

async function press(at = '/auth/stop-email-change?token=abc') {
  const { person } = renderPage(StopEmailChangePage, { at })
  await screen.findByRole('heading', { name: 'Stop the change of your email address?' })
  expect(api.current.sent).toEqual([])
  await person.click(screen.getByRole('button', { name: 'Stop the change' }))
}

test('nothing happens until the button is used, and the secret leaves the address bar', async () => {
  api.current.on(STOP, { body: { success: true } })
  await press()
  const heading = await screen.findByRole('heading', { name: 'The change was stopped' })
  expect(window.location.search).toBe('')
  expect(api.current.requestsTo(STOP)[0]?.body).toEqual({ token: 'abc' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

test.each([
  [errorResponse(410, 'EMAIL_STOP_INVALID', 'This link no longer works.'), 'This link no longer works.'],
  [{ status: 500 }, 'The change could not be stopped. Please try again.'],
  ['no network' as const, 'The change could not be stopped. Please try again.'],
])('%j: %s', async (answer, sentence) => {
  api.current.on(STOP, answer)
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe(sentence)
})

test('a link without its token', async () => {
  await press('/auth/stop-email-change')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This link is incomplete. Please open the link in the email again.',
  )
})
