import { screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { storePendingSponsorship } from './pending-sponsorship.ts'
import SponsorCancelPage from './sponsor-cancel.tsx'
import SponsorSuccessPage from './sponsor-success.tsx'

const api = useFakeApi()
const SESSION = 'GET /api/stripe/checkout/verify-session'
const AT = '/sponsor/success?session_id=cs_1&nonce=secret'

// Loaded on demand, which takes long on a busy machine.
beforeAll(async () => {
  await import('./verify-sponsorship.ts')
})

const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

describe('back from paying', () => {
  test('waits, thanks, and its secrets leave the address bar', async () => {
    api.current.on(SESSION, { body: { ready: true } })
    renderPage(SponsorSuccessPage, { at: AT })
    screen.getByRole('heading', { level: 1, name: 'Verifying your sponsorship' })
    await title('Thank you for your sponsorship!')
    expect(api.current.requestsTo(SESSION)[0]).toMatchObject({
      query: { session_id: 'cs_1', nonce: 'secret' },
      bearer: null,
    })
    expect(window.location.search).toBe('')
    expect(href('Back to home')).toBe('/')
    expect(href('Sponsor page')).toBe('/sponsor-us')
  })

  test('names the company and its tier in the tab that ordered', async () => {
    storePendingSponsorship({ company: 'Kaveri Labs', tier: 'Gold' })
    api.current.on(SESSION, { body: { ready: true } })
    renderPage(SponsorSuccessPage, { at: AT })
    await title('Thank you for your sponsorship!')
    screen.getByText('Kaveri Labs')
    screen.getByText('Gold')
    sessionStorage.clear()
  })

  test.each(['', '{', '{"company":1,"tier":"Gold"}'])('names none if this tab stored "%s"', async (stored) => {
    sessionStorage.setItem('sponsorship', stored)
    api.current.on(SESSION, { body: { ready: true } })
    renderPage(SponsorSuccessPage, { at: AT })
    await title('Thank you for your sponsorship!')
    expect(screen.queryByText('Sponsorship')).toBeNull()
    sessionStorage.clear()
  })

  test('thanks again after a reload', async () => {
    api.current.on(SESSION, { body: { ready: true } })
    const first = renderPage(SponsorSuccessPage, { at: AT })
    await title('Thank you for your sponsorship!')
    const historyState: unknown = window.history.state
    first.unmount()
    renderPage(SponsorSuccessPage, { at: '/sponsor/success', historyState })
    await title('Thank you for your sponsorship!')
    expect(api.current.requestsTo(SESSION)).toHaveLength(2)
  })

  test.each(['/sponsor/success', '/sponsor/success?session_id=cs_1', '/sponsor/success?nonce=n'])(
    '%s sends no request',
    async (at) => {
      renderPage(SponsorSuccessPage, { at })
      expect((await screen.findByRole('alert')).textContent).toBe(
        'Missing verification information. Please contact us if you completed payment.',
      )
      expect(api.current.requestsTo(SESSION)).toEqual([])
    },
  )

  test.each([
    [errorResponse(403, 'PAYMENT_LINK_INVALID', 'This link is invalid.'), 'This link is invalid.'],
    [{ status: 403 }, 'Verification failed'],
    [{ body: { ready: false } }, 'Unable to verify sponsorship. Please contact us.'],
    [errorResponse(502, 'PAYMENT_CHECK_FAILED', 'x'), 'Unable to verify sponsorship. Please contact us.'],
    [{ status: 500 }, 'Unable to verify sponsorship. Please contact us.'],
    [{ body: { odd: 1 } }, 'Unable to verify sponsorship. Please contact us.'],
    ['no network' as const, 'Unable to verify sponsorship. Please contact us if you completed payment.'],
  ])('%j', async (answer, sentence) => {
    api.current.on(SESSION, answer)
    renderPage(SponsorSuccessPage, { at: AT })
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
    expect(href('Contact us')).toBe('/contact?subject=Sponsorship+Payment+Verification')
    expect(href('Sponsor page')).toBe('/sponsor-us')
    expect(href('Back to home')).toBe('/')
  })
})

test('canceled: the three next steps', () => {
  renderPage(SponsorCancelPage, { at: '/sponsor/cancel' })
  screen.getByRole('heading', { level: 1, name: 'Sponsorship Cancelled' })
  expect(href('Back to the tiers')).toBe('/sponsor-us')
  expect(href('Contact us')).toBe('/contact?subject=Sponsorship+Question')
  expect(href('Back to home')).toBe('/')
})
