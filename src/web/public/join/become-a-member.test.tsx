import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Subscription } from '#contract/public/account.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
// Imported before the tests, since loading a module takes real time.
import '#web/shared/get-account.ts'
import '#web/shared/membership-greeting.rules.ts'
import '#web/shared/membership-text.rules.ts'
import BecomeAMemberPage from './become-a-member.tsx'
import {
  annual,
  level,
  plainHead,
  life,
  advanceTime,
  profile,
  renderPage,
  fakeClock,
  stubBotCheck,
  plainJoinPage,
  student,
  subscriptionTo,
  user,
} from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({ redirectTo: vi.fn<() => Promise<void>>(() => Promise.resolve()) }))

const api = useFakeApi()
const LEVELS = 'GET /api/membership-levels'
const PROFILE = 'GET /api/account/profile'
const START = 'POST /api/stripe/checkout/start'
const PORTAL = 'POST /api/billing/portal-session'
const levels = [annual, life, student]

beforeEach(() => {
  stubBotCheck()
  api.current.on(LEVELS, { body: levels })
  vi.mocked(redirectTo).mockReset().mockResolvedValue()
})
afterEach(() => vi.useRealTimers())

function open(loaded = levels, page = plainJoinPage) {
  return renderPage(BecomeAMemberPage, {
    at: '/become-a-member',
    loaderData: { levels: loaded, page, head: plainHead, fields: [] },
  })
}

function openAs(subscription: Subscription | null) {
  localStorage.setItem('token', tokenFor(3_600))
  localStorage.setItem('user', JSON.stringify(user))
  api.current.on(PROFILE, { body: { profile, subscription } })
  return open()
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

/** Busy buttons are disabled. */
function enabled(name: string): Promise<HTMLButtonElement> {
  return waitFor(() => {
    const found = button(name)
    expect(found.disabled).toBe(false)
    return found
  })
}

describe('the plans', () => {
  test('are in the server’s page, with prices, periods and renewal', async () => {
    open()
    screen.getByRole('heading', { level: 1, name: 'Become a member' })
    const [first, second, third] = screen.getAllByRole('article')
    expect(first?.textContent).toContain('$100 a year, renews automatically')
    expect(second?.textContent).toContain('$1,000 once')
    expect(third?.textContent).toContain('Free for one year')
    screen.getByText('How it works')
    expect(screen.getAllByRole('listitem').map((step) => within(step).getByRole('heading').textContent)).toEqual([
      'Fill out the form',
      'Verify email',
      'Complete payment',
    ])
    await waitFor(() => expect(api.current.requestsTo(LEVELS)).toHaveLength(2))
  })

  test('the browser probes, then fetches, and the fresh response wins', async () => {
    api.current.on(LEVELS, { body: [annual] }, { body: [level('board_member')] })
    open()
    await screen.findByRole('button', { name: 'Select board member' })
    expect(screen.queryByRole('button', { name: 'Select annual member' })).toBeNull()
    expect(api.current.sent).toHaveLength(2)
  })

  test('an invalid level does not remove the others', async () => {
    api.current.on(LEVELS, { body: [{ ...life, unitAmount: null }, level('board_member')] })
    open()
    await screen.findByRole('button', { name: 'Select board member' })
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  test('an empty response shows a message', async () => {
    api.current.on(LEVELS, { body: [] })
    open()
    await screen.findByText('No memberships are available right now.')
    expect(screen.queryByRole('article')).toBeNull()
  })

  test.each([['no network' as const], [{ status: 500 }], [{ body: { levels: [] } }], [{ body: [null] }]])(
    'two more tries a second apart, then %j makes the cards give way',
    async (answer) => {
      fakeClock()
      api.current.on(LEVELS, answer)
      open()
      await advanceTime(1_900)
      expect(api.current.requestsTo(LEVELS)).toHaveLength(2)
      await advanceTime(300)
      await screen.findByText('Failed to load membership levels')
      expect(api.current.requestsTo(LEVELS)).toHaveLength(3)
      expect(screen.queryByRole('article')).toBeNull()
      screen.getByText('How it works')
    },
  )

  test('a failure can be retried', async () => {
    fakeClock()
    api.current.on(LEVELS, 'no network')
    const { person } = open()
    await advanceTime(2_500)
    await screen.findByText('Failed to load membership levels')
    api.current.on(LEVELS, { body: levels })
    await person.click(button('Try again'))
    await screen.findByRole('button', { name: 'Select annual member' })
  })

  test('shows a loading message before anything is known', async () => {
    open([])
    screen.getByText('Loading membership levels...')
    await screen.findByRole('button', { name: 'Select annual member' })
  })
})

describe('a member', () => {
  test.each([
    [annual, {}, 'Annual Member until March 2, 2027. Change or renew your membership here.'],
    [life, {}, 'Life Member, for good. Life memberships don’t change; you’re set.'],
    [
      annual,
      { status: 'PAST_DUE' },
      'Your renewal didn’t go through. You can change your card or your membership here.',
    ],
    [
      annual,
      { status: 'EXPIRED', nextBillDate: null, cancelDate: '2026-08-22T12:00:00.000Z' },
      'Your membership ended August 22, 2026. Pick up where you left off.',
    ],
  ] as const)('of %o %o reads: %s', async (membershipLevel, over, lead) => {
    openAs(subscriptionTo(membershipLevel, over))
    await screen.findByText(lead)
  })

  test('finds the own level first to press, lapsed or not', async () => {
    openAs(subscriptionTo(life, { status: 'EXPIRED' }))
    const own = await screen.findByRole('button', { name: 'Select life member' })
    await waitFor(() => expect(own.className).not.toContain('line'))
    expect(button('Select annual member').className).toContain('line')
  })

  test('is welcomed, and loaded with the bearer', async () => {
    openAs(subscriptionTo(annual))
    screen.getByRole('heading', { level: 1, name: 'Welcome meera.r!' })
    await screen.findByRole('button', { name: 'Current Plan' })
    expect(api.current.requestsTo(PROFILE)[0]?.bearer).toBe(localStorage.getItem('token'))
  })

  test('sees what can be done with each level', async () => {
    openAs(subscriptionTo(annual))
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Current Plan' })).disabled).toBe(true)
    expect(button('Switch to life member').disabled).toBe(false)
    expect(button('Manage Subscription/Billing').disabled).toBe(false)
  })

  test('sees what each change costs today and later, before paying', async () => {
    api.current.on('GET /api/billing/level-changes', {
      body: {
        changes: [
          { levelKey: 'life_member', currency: 'usd', credit: 5_479, dueToday: 94_521, next: null },
          {
            levelKey: 'medical_student',
            currency: 'usd',
            credit: 0,
            dueToday: 0,
            next: { amount: 0, at: '2027-03-02T12:00:00.000Z' },
          },
        ],
      },
    })
    openAs(subscriptionTo(annual))
    await screen.findByText(
      'Today: $945.21 (after a $54.79 credit for the rest of your current membership). Nothing after that.',
    )
  })

  test('for life cannot change levels', async () => {
    openAs(subscriptionTo(life))
    await screen.findByRole('button', { name: 'Current Plan' })
    expect(screen.getAllByRole('button', { name: 'Not Available' })).toHaveLength(2)
    for (const other of screen.getAllByRole<HTMLButtonElement>('button', { name: 'Not Available' }))
      expect(other.disabled).toBe(true)
  })

  test('goes to the billing portal for a recurring level', async () => {
    api.current.on(PORTAL, { body: { url: 'https://pay.example/portal' } })
    const { person } = openAs(subscriptionTo(annual))
    await person.click(await enabled('Manage Subscription/Billing'))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/portal'))
    expect(api.current.requestsTo(PORTAL)[0]?.body).toEqual({ levelKey: 'medical_student' })
  })

  test('goes to checkout for a lifetime level', async () => {
    api.current.on(START, { body: { completed: false, sessionUrl: 'https://pay.example/cs' } })
    const { person } = openAs(subscriptionTo(annual))
    await person.click(await enabled('Switch to life member'))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/cs'))
    expect(api.current.requestsTo(START)[0]).toMatchObject({
      body: { levelKey: 'life_member' },
      bearer: expect.any(String),
    })
  })

  test('whose membership has ended selects again with the bearer, and a free level is active immediately', async () => {
    api.current.on(START, { body: { completed: true } })
    const { person } = openAs(subscriptionTo(annual, { status: 'EXPIRED' }))
    await person.click(await enabled('Select medical student'))
    await screen.findByText('At /stripe/success?free=1')
    expect(screen.queryByLabelText('Email')).toBeNull()
  })

  test('who clicks while the membership is loading continues once it is known', async () => {
    api.current.on(START, { body: { completed: true } })
    const { person } = openAs(subscriptionTo(annual, { status: 'EXPIRED' }))
    await person.click(button('Select medical student'))
    await screen.findByText('At /stripe/success?free=1')
    expect(screen.queryByLabelText('Email')).toBeNull()
  })

  test('who clicks the level they turn out to hold stays on the page', async () => {
    const { person } = openAs(subscriptionTo(annual))
    await person.click(button('Select annual member'))
    await screen.findByRole('button', { name: 'Current Plan' })
    expect(api.current.requestsTo(START)).toHaveLength(0)
    expect(screen.queryByLabelText('Email')).toBeNull()
  })

  describe('sees why it failed', () => {
    const checkout: [string, Parameters<typeof api.current.on>[1], string][] = [
      ['unknown level', errorResponse(404, 'PLAN_NOT_FOUND', 'Plan not found'), 'Plan not found'],
      ['no words', { status: 502 }, 'Checkout failed'],
      ['nothing to go to', { body: { completed: false } }, 'No checkout URL or session ID received'],
      ['no library', { body: { completed: false, sessionId: 'cs_1' } }, 'Failed to load Stripe'],
      ['no network', 'no network', 'Plan change failed'],
    ]
    test.each(checkout)('checkout: %s', async (_, answer, sentence) => {
      api.current.on(START, answer)
      const { person } = openAs(null)
      await person.click(await enabled('Select life member'))
      const box = await screen.findByRole('alert')
      expect(box.textContent).toBe(sentence)
      await waitFor(() => expect(document.activeElement).toBe(box))
    })

    test('checkout: the token has expired meanwhile', async () => {
      const { person } = openAs(null)
      const select = await enabled('Select life member')
      localStorage.removeItem('token')
      await person.click(select)
      await screen.findByText('Please log in to continue')
    })

    test('checkout by an older library of the card provider', async () => {
      const redirectToCheckout = vi.fn<(options: object) => Promise<object>>(() => Promise.resolve({}))
      vi.stubGlobal('Stripe', () => ({ redirectToCheckout }))
      api.current.on(START, { body: { completed: false, sessionId: 'cs_1' } })
      const { person } = openAs(null)
      await person.click(await enabled('Select life member'))
      await waitFor(() => expect(redirectToCheckout).toHaveBeenCalledWith({ sessionId: 'cs_1' }))
    })

    const portal: [string, Parameters<typeof api.current.on>[1], string][] = [
      ['the server', errorResponse(409, 'NO_MEMBERSHIP', 'There is none.'), 'There is none.'],
      ['no words', { status: 502 }, 'Failed to open billing portal'],
      ['no network', 'no network', 'Failed to open billing portal'],
    ]
    test.each(portal)('portal: %s', async (_, answer, sentence) => {
      api.current.on(PORTAL, answer)
      const { person } = openAs(subscriptionTo(annual))
      await person.click(await enabled('Manage Subscription/Billing'))
      expect((await screen.findByRole('alert')).textContent).toBe(sentence)
    })

    test('portal: the token has expired meanwhile', async () => {
      const { person } = openAs(subscriptionTo(annual))
      const manage = await screen.findByRole('button', { name: 'Manage Subscription/Billing' })
      localStorage.removeItem('token')
      await person.click(manage)
      await screen.findByText('Authentication required')
    })
  })
})
