import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import { renderPage } from './render-page.tsx'
import StripeCancelPage from './stripe-cancel.tsx'

useFakeApi()

test('a cancelled payment can be tried again', async () => {
  renderPage(StripeCancelPage, { at: '/stripe/cancel?session_id=cs_1&nonce=secret' })
  screen.getByRole('heading', { level: 1, name: 'Payment Cancelled' })
  expect(screen.getByRole('link', { name: 'Try Again' }).getAttribute('href')).toBe('/become-a-member')
  expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
  screen.getByText(/Your registration is kept for 24 hours/)
  expect(window.location.search).toBe('')
})

test('a member hears that nothing has changed', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  renderPage(StripeCancelPage, { at: '/stripe/cancel' })
  await screen.findByText('Nothing was charged, and your membership is as it was.')
})
