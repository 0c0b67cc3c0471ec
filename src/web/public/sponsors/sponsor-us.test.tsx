import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SponsorTier } from '#contract/public/sponsors.ts'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import { preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'
import SponsorUsPage from './sponsor-us.tsx'

const { redirectTo } = vi.hoisted(() => ({ redirectTo: vi.fn(() => Promise.resolve()) }))
vi.mock('#web/api/redirect.ts', () => ({ redirectTo }))
// No person is this fast; a test is.
vi.mock('#web/api/delay.ts', () => ({ delay: () => new Promise((resolve) => setTimeout(resolve, 50)) }))

const api = useFakeApi()
const CHECKOUT = 'POST /api/sponsor/checkout/sponsor'
const TOKEN = 'GET /api/sponsor/form-token'
const silver: SponsorTier = {
  name: 'Silver',
  amountLabel: '$1,000',
  unitAmount: 100_000,
  benefits: ['1 minute of remarks', 'Reserved table'],
}
const custom: SponsorTier = { name: 'Custom Amount', amountLabel: 'From $1.00', unitAmount: null, benefits: ['Thanks'] }
const page = {
  recommended: 'Silver',
  impactTitle: 'What it paid for',
  impact: [{ figure: '412', text: 'lab tests for clinic patients.' }],
  quote: { text: 'We met six physicians.', name: 'Mandakini Shah', detail: null },
}
const loaderData = {
  tiers: [silver, custom],
  sponsors: [],
  page,
  head: { lead: 'Sponsors meet our members.', description: '' },
}
const alert = vi.fn()

// Preloads what the form loads on demand, because a busy machine takes long.
beforeAll(async () => {
  await Promise.all([preloadDialog(), import('./sponsor-order.rules.ts')])
})
beforeEach(() => {
  stubBotCheck()
  redirectTo.mockClear()
  alert.mockClear()
  vi.stubGlobal('alert', alert)
  api.current.on('GET /api/sponsors', { body: [] }).on(TOKEN, { body: { formToken: 'opened' } })
})
afterEach(() => vi.unstubAllGlobals())

async function open(tier = 'Silver') {
  const view = renderPage(SponsorUsPage, { at: '/sponsor-us', loaderData })
  await view.person.click(screen.getByRole('button', { name: `Select ${tier}` }))
  await screen.findByRole('dialog')
  return view
}

const field = (label: RegExp) => within(screen.getByRole('dialog')).getByLabelText<HTMLInputElement>(label)
const submit = () => screen.getByRole('button', { name: /^Continue to payment/ })

async function fillIn({ person }: Awaited<ReturnType<typeof open>>) {
  await person.type(field(/^Full name/), 'Leela Varghese')
  await person.type(field(/^Email/), 'leela@example.com')
  await person.type(field(/^Company/), 'Kaveri Labs')
}

test('shows the tiers with their benefits, the sponsors, and contact links with a prefilled subject', async () => {
  renderPage(SponsorUsPage, { at: '/sponsor-us', loaderData })
  screen.getByRole('heading', { level: 1 })
  screen.getByRole('heading', { level: 3, name: 'Silver' })
  screen.getByText('$1,000')
  screen.getByText('1 minute of remarks')
  for (const name of ['Contact us', 'Plan it with us']) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/contact?subject=Sponsorship+Inquiry')
  }
  await screen.findByText('No sponsors available at the moment.')
})

test('recommends a tier, and tells what sponsors made possible, where officers say so', async () => {
  const { unmount } = renderPage(SponsorUsPage, { at: '/sponsor-us', loaderData })
  expect(screen.getByText('Recommended').closest('article')?.textContent).toContain('Silver')
  expect(screen.getByRole('region', { name: 'What it paid for' }).textContent).toContain('412')
  screen.getByText('We met six physicians.')
  await screen.findByText('No sponsors available at the moment.')
  unmount()
  const nothing = { recommended: null, impactTitle: null, impact: [], quote: null }
  renderPage(SponsorUsPage, { at: '/sponsor-us', loaderData: { ...loaderData, page: nothing } })
  expect(screen.queryByText('Recommended')).toBeNull()
  expect(screen.queryByRole('region', { name: /possible/ })).toBeNull()
  await screen.findByText('No sponsors available at the moment.')
})

describe('the form', () => {
  test('of a tier asks for no amount, and shows every required field’s error at once', async () => {
    const { person } = await open()
    screen.getByRole('heading', { name: 'Silver sponsorship, $1,000' })
    expect(screen.queryByLabelText(/^Amount/)).toBeNull()
    await person.click(submit())
    const links = await screen.findAllByRole('link', { name: /is required$/ })
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Full name is required',
      'Email is required',
      'Company/Organization name is required',
    ])
    await waitFor(() => expect(document.activeElement).toBe(field(/^Full name/)))
    expect(api.current.requestsTo(CHECKOUT)).toEqual([])
    await person.type(field(/^Full name/), 'L')
    expect(screen.queryByText('Full name is required')).toBeNull()
    expect(screen.getAllByText('Email is required').length).toBeGreaterThan(0)
  })

  test.each([
    ['', 'Custom amount is required'],
    ['0.99', 'Please enter a valid amount (minimum $1.00)'],
    ['1.005', 'Please enter a valid amount (minimum $1.00)'],
    ['-5', 'Please enter a valid amount (minimum $1.00)'],
    ['ten', 'Please enter a valid amount (minimum $1.00)'],
  ])('of a custom amount refuses "%s"', async (amount, sentence) => {
    const view = await open('Custom Amount')
    await fillIn(view)
    if (amount) await view.person.type(field(/^Amount/), amount)
    await view.person.click(submit())
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0)
    await view.person.type(field(/^Email/), 'x')
    expect(api.current.requestsTo(CHECKOUT)).toEqual([])
  })

  test('an invalid address is an error', async () => {
    const view = await open()
    await fillIn(view)
    await view.person.clear(field(/^Email/))
    await view.person.type(field(/^Email/), 'leela@')
    await view.person.click(submit())
    expect((await screen.findAllByText('Please enter a valid email address')).length).toBeGreaterThan(0)
  })

  test('is empty each time it opens', async () => {
    const view = await open()
    await fillIn(view)
    await view.person.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await view.person.click(screen.getByRole('button', { name: 'Select Custom Amount' }))
    await screen.findByRole('dialog')
    for (const label of [/^Full name/, /^Email/, /^Company/, /^Amount/]) expect(field(label).value).toBe('')
  })

  test('hides the honeypot field', async () => {
    await open()
    expect(screen.queryByRole('textbox', { name: 'Leave this empty' })).toBeNull()
  })
})

describe('paying', () => {
  test('a tier leads to the card provider', async () => {
    api.current.on(CHECKOUT, { body: { sessionUrl: 'https://pay.example/1' } })
    const view = await open()
    await fillIn(view)
    await view.person.type(field(/^Phone/), '404 555 0100')
    await view.person.click(submit())
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/1'))
    expect(api.current.requestsTo(CHECKOUT).map(({ body }) => body)).toEqual([
      {
        name: 'Leela Varghese',
        email: 'leela@example.com',
        company: 'Kaveri Labs',
        phone: '404 555 0100',
        message: '',
        tierName: 'Silver',
        amount: 1000,
        recaptchaToken: 'token for sponsor_checkout',
        formToken: 'opened',
      },
    ])
    expect(alert).not.toHaveBeenCalled()
  })

  test.each([
    ['the card provider’s page', { body: { sessionUrl: 'https://pay.example/1' } }],
    ['a window about a failure', { status: 500 }],
  ])('canceling meanwhile hides %s', async (_, answer) => {
    let release = () => {}
    const after = new Promise<void>((resolve) => (release = resolve))
    api.current.on(
      CHECKOUT,
      after.then(() => answer),
    )
    const view = await open()
    await fillIn(view)
    await view.person.click(submit())
    await waitFor(() => expect(api.current.requestsTo(CHECKOUT)).toHaveLength(1))
    await view.person.click(screen.getByRole('button', { name: 'Cancel' }))
    release()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await view.person.click(screen.getByRole('button', { name: 'Select Silver' }))
    await screen.findByRole('dialog')
    expect(redirectTo).not.toHaveBeenCalled()
    expect(alert).not.toHaveBeenCalled()
  })

  test('a custom amount is named in full', async () => {
    api.current.on(CHECKOUT, { body: { sessionUrl: 'https://pay.example/1' } })
    const view = await open('Custom Amount')
    await fillIn(view)
    await view.person.type(field(/^Amount/), '1234.5')
    await view.person.click(submit())
    await waitFor(() => expect(redirectTo).toHaveBeenCalled())
    expect(api.current.requestsTo(CHECKOUT)[0]?.body).toMatchObject({
      tierName: 'Custom Amount - $1234.50',
      amount: 1234.5,
    })
  })

  test.each([
    [errorResponse(429, 'RATE_LIMITED', 'Too many attempts.'), 'Too many attempts'],
    [errorResponse(502, 'CHECKOUT_FAILED', 'Checkout failed'), 'Checkout failed'],
    [{ status: 500, statusText: 'Internal Server Error' }, 'Internal Server Error'],
    [{ body: {} }, 'No checkout URL received from server'],
    [{ body: { sessionUrl: '' } }, 'No checkout URL received from server'],
    ['no network' as const, 'Network error'],
  ])('a failure is shown in an alert and above the form, which keeps its values: %j', async (answer, message) => {
    api.current.on(CHECKOUT, answer)
    const view = await open()
    await fillIn(view)
    await view.person.click(submit())
    const sentence = `Checkout failed: ${message}. Please try again or contact us.`
    await waitFor(() => expect(alert).toHaveBeenCalledExactlyOnceWith(sentence))
    expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    expect(field(/^Full name/).value).toBe('Leela Varghese')
    expect(redirectTo).not.toHaveBeenCalled()
  })

  test('a server-side error is shown under its field', async () => {
    const errors = { amount: 'This amount is not the price of the tier.' }
    api.current.on(CHECKOUT, { status: 400, body: { message: errors.amount, code: 'INVALID_INPUT', errors } })
    const view = await open('Custom Amount')
    await fillIn(view)
    await view.person.type(field(/^Amount/), '5')
    await view.person.click(submit())
    await waitFor(() => expect(alert).toHaveBeenCalledOnce())
    await screen.findAllByText(errors.amount)
  })

  test('a sponsor can pay without form token and bot check', async () => {
    stubBotCheck(() => Promise.reject(new Error('blocked')))
    api.current.on(TOKEN, 'no network').on(CHECKOUT, { body: { sessionUrl: 'https://pay.example/1' } })
    const view = await open()
    await fillIn(view)
    await view.person.click(submit())
    await waitFor(() => expect(redirectTo).toHaveBeenCalled())
    const body = api.current.requestsTo(CHECKOUT)[0]?.body
    expect(body).not.toHaveProperty('formToken')
    expect(body).not.toHaveProperty('recaptchaToken')
  })

  test('an expired token is replaced, and a failed bot check is left out', async () => {
    api.current
      .on(TOKEN, { body: { formToken: 'old' } }, { body: { formToken: 'new' } })
      .on(CHECKOUT, errorResponse(400, 'FORM_TOKEN_INVALID', 'x'), errorResponse(400, 'BOT_CHECK_FAILED', 'x'), {
        body: { sessionUrl: 'https://pay.example/1' },
      })
    const view = await open()
    await fillIn(view)
    await view.person.click(submit())
    await waitFor(() => expect(redirectTo).toHaveBeenCalled())
    const bodies = api.current.requestsTo(CHECKOUT).map(({ body }) => body as Record<string, unknown>)
    expect(bodies.map(({ formToken }) => formToken)).toEqual(['old', 'new', 'new'])
    expect(bodies.map((body) => 'recaptchaToken' in body)).toEqual([true, true, false])
    expect(alert).not.toHaveBeenCalled()
  })
})
