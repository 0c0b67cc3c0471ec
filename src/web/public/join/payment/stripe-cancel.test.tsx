import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import StripeCancelPage from './stripe-cancel.tsx'

useFakeApi()

test('a canceled payment can be retried', async () => {
  renderPage(StripeCancelPage, { at: '/stripe/cancel?session_id=cs_1&nonce=secret' })
  screen.getByRole('heading', { level: 1, name: 'Payment Cancelled' })
  expect(screen.getByRole('link', { name: 'Try Again' }).getAttribute('href')).toBe('/become-a-member')
  expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
  screen.getByText(/Your registration is kept for 24 hours/)
  expect(window.location.search).toBe('')
})

test('a member is informed that nothing has changed', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  renderPage(StripeCancelPage, { at: '/stripe/cancel' })
  await screen.findByText('Nothing was charged, and your membership is as it was.')
})
