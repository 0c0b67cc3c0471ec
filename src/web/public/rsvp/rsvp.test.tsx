import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { OwnRsvp } from '#contract/public/rsvp.ts'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { seeTotal } from '#tests/support/web/event-page.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import RsvpPage from './rsvp.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  redirectTo: vi.fn<() => Promise<void>>(async () => {}),
  reloadPage: vi.fn<() => void>(),
}))
beforeEach(() => vi.mocked(redirectTo).mockClear())

const api = useFakeApi()
const READ = 'POST /api/rsvp/read'
const money = {
  currency: 'usd',
  own: 5_000,
  guest: 5_000,
  paid: 10_000,
  owed: 0,
  payBy: null,
  isRefundable: true,
  refundUntil: '2026-12-12',
}
const own = (over: Partial<OwnRsvp> = {}): OwnRsvp => ({
  event: { id: 'gala', title: 'Gala', date: 'December 19, 2026', time: null, location: 'Duluth' },
  name: 'Leela',
  guests: 1,
  meals: [],
  tickets: [],
  place: 'coming',
  offer: {
    state: 'open',
    guestsMax: 2,
    meals: [],
    words: '',
    closesAt: null,
    lastDay: null,
    seatsLeft: null,
    price: { person: 5_000, member: 5_000, currency: 'usd', refundUntil: '2026-12-12' },
    tickets: null,
    memberEmail: null,
  },
  hasCertificate: false,
  money,
  ...over,
})

function openAt(search: string) {
  window.history.replaceState({}, '', `/rsvp${search}`)
  return renderPage(RsvpPage, { at: `/rsvp${search}` })
}

describe('a paid RSVP', () => {
  test('an added guest is paid first; the form keeps its values if the provider is unavailable', async () => {
    api.current
      .on(READ, { body: own() })
      .on(
        'POST /api/rsvp/change',
        errorResponse(
          502,
          'CHECKOUT_FAILED',
          'Our card provider is not responding. Nothing was charged. Please try again in a minute.',
        ),
        { body: { ...own(), payAt: 'https://pay.example/more' } },
      )
    const { person } = openAt('?token=t')
    await screen.findByText('Paid: $100. Cancel by December 12, 2026 for a full refund.')
    expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toBe('/events/gala.ics')
    await person.selectOptions(screen.getByLabelText('Guests'), '2')
    await seeTotal('$50')
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await screen.findByText(/Nothing was charged/)
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/more'))
  })

  test.each([
    [true, '$50 will be refunded to the card you paid with.', '$100 will be refunded to the card you paid with.'],
    [false, 'Seats canceled now are not refunded.', 'The $100 you paid is not refunded.'],
  ])('before seats are canceled it shows the refund (refundable: %s)', async (isRefundable, fewer, all) => {
    api.current
      .on(READ, { body: own({ money: { ...money, isRefundable } }) })
      .on('POST /api/rsvp/cancel', { body: own({ place: 'cancelled', money: { ...money, isRefundable } }) })
    const { person } = openAt('?token=t')
    await person.selectOptions(await screen.findByLabelText('Guests'), '0')
    screen.getByText(fewer)
    await person.click(screen.getByRole('button', { name: 'Cancel RSVP' }))
    await screen.findByText(all)
    await person.click(screen.getByRole('button', { name: 'Cancel my RSVP' }))
    await screen.findByText(/Your RSVP was canceled/)
  })

  test('off the waitlist: shows the amount, the deadline and a payment link', async () => {
    const owing = { ...money, paid: 0, owed: 10_000, payBy: '2026-12-01T17:00:00.000Z' }
    api.current
      .on(READ, { body: own({ place: 'paying', money: owing }) })
      .on('POST /api/rsvp/pay', errorResponse(409, 'RSVP_CLOSED', 'RSVPs for this event are closed.'), {
        body: { payAt: 'https://pay.example/owed' },
      })
    const { person } = openAt('?token=t')
    await screen.findByText('Please pay $100')
    screen.getByText(
      /Your seats are held until December 1, 2026 at 12:00 PM EST; after that they go to the next guest on the waitlist/,
    )
    await person.click(screen.getByRole('button', { name: 'Pay $100' }))
    await screen.findByText('RSVPs for this event are closed.')
    await person.click(screen.getByRole('button', { name: 'Pay $100' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/owed'))
  })
})

describe('the result of an action takes the focus', () => {
  const isThere = (text: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(text.closest('[tabindex]')))

  test('each time a change is saved', async () => {
    api.current
      .on(READ, { body: own({ money: null }) })
      .on('POST /api/rsvp/change', { body: own({ money: null, guests: 2 }) })
    const { person } = openAt('?token=t')
    for (const guests of ['2', '1']) {
      await person.selectOptions(await screen.findByLabelText('Guests'), guests)
      await person.click(screen.getByRole('button', { name: 'Save changes' }))
      await isThere(await screen.findByText(/Your RSVP was updated/))
    }
  })

  test('once the seats are canceled', async () => {
    api.current
      .on(READ, { body: own({ money: null }) })
      .on('POST /api/rsvp/cancel', { body: own({ place: 'cancelled', money: null }) })
    const { person } = openAt('?token=t')
    await person.click(await screen.findByRole('button', { name: 'Cancel RSVP' }))
    await person.click(await screen.findByRole('button', { name: 'Cancel my RSVP' }))
    await isThere(await screen.findByText(/Your RSVP was canceled/))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await isThere(screen.getByText(/Your RSVP was canceled/))
  })
})

test('while seats are canceled the dialog stays open and cannot be closed; a rejection is shown there', async () => {
  let refuse!: () => void
  const answer = new Promise<ReturnType<typeof errorResponse>>((resolve) => {
    refuse = () => resolve(errorResponse(502, 'CHECKOUT_FAILED', 'Our card provider does not answer.'))
  })
  api.current.on(READ, { body: own() }).on('POST /api/rsvp/cancel', answer)
  const { person } = openAt('?token=t')
  await person.click(await screen.findByRole('button', { name: 'Cancel RSVP' }))
  await person.click(await screen.findByRole('button', { name: 'Cancel my RSVP' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Keep RSVP' }).disabled).toBe(true)
  await person.keyboard('{Escape}')
  await person.click(screen.getByRole('button', { name: 'Close' }))
  refuse()
  await screen.findByText('Our card provider does not answer.')
  await person.click(screen.getByRole('button', { name: 'Keep RSVP' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

describe('an unconfirmed RSVP', () => {
  const heldUntil = '2026-12-01T17:30:00.000Z'
  const asked = own({ place: 'unconfirmed', money: null, heldUntil })
  const CONFIRM = 'POST /api/rsvp/confirm'

  test('opening it sends nothing; the button confirms, and a rejection is shown', async () => {
    api.current
      .on(READ, { body: asked })
      .on(CONFIRM, errorResponse(409, 'RSVP_CLOSED', 'RSVPs for this event are closed.'), {
        body: own({ money: null }),
      })
    const { person } = openAt('#token=t')
    await screen.findByText('Your seats are held until December 1, 2026 at 12:30 PM EST.')
    screen.getByText('Leela, with 1 guest')
    expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
    expect(api.current.requestsTo(CONFIRM)).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Confirm my RSVP' }))
    await screen.findByText('RSVPs for this event are closed.')
    await person.click(screen.getByRole('button', { name: 'Confirm my RSVP' }))
    const done = await screen.findByText('Your seats are confirmed. We’ve emailed you the check-in code.')
    await waitFor(() => expect(document.activeElement).toBe(done.closest('[tabindex]')))
    expect(screen.queryByRole('button', { name: 'Confirm my RSVP' })).toBeNull()
  })

  test('after the deadline it says what confirming still does, and it can be withdrawn', async () => {
    api.current
      .on(READ, { body: { ...asked, heldUntil: null } })
      .on('POST /api/rsvp/cancel', { body: own({ place: 'cancelled', money: null }) })
    const { person } = openAt('#token=t')
    await screen.findByText(/No seats are held for you right now/)
    await person.click(screen.getByRole('button', { name: 'Cancel RSVP' }))
    await person.click(await screen.findByRole('button', { name: 'Cancel my RSVP' }))
    await screen.findByText('Your RSVP was withdrawn. No seats are held for you.')
  })
})

test('the certificate is requested with the token in the body, never in a URL', async () => {
  URL.createObjectURL = vi.fn<() => string>(() => 'blob:certificate')
  URL.revokeObjectURL = vi.fn<() => void>()
  const certificate = 'POST /api/rsvp/certificate'
  api.current
    .on(READ, { body: own({ hasCertificate: true }) })
    .on(certificate, errorResponse(410, 'RSVP_LINK_INVALID', 'This link is no longer valid.'), { body: {} })
  const { person } = openAt('#token=secret')
  const button = await screen.findByRole('button', { name: 'Certificate of attendance (PDF)' })
  await person.click(button)
  await screen.findByText('This link is no longer valid.')
  await person.click(button)
  await waitFor(() => expect(URL.createObjectURL).toHaveBeenCalledOnce())
  expect(api.current.requestsTo(certificate).map(({ body }) => body)).toEqual([
    { token: 'secret' },
    { token: 'secret' },
  ])
  expect(document.body.innerHTML).not.toContain('secret')
})

describe('back from the card provider', () => {
  const VERIFY = 'POST /api/rsvp/payment'

  test('the payment’s result takes the focus and is announced, on every check', async () => {
    api.current.on(VERIFY, { body: { outcome: 'open', eventId: 'gala' } }, 'no network', {
      body: { outcome: 'paid', eventId: 'gala' },
    })
    const { person } = openAt('?session_id=cs_1&nonce=secret')
    const isThere = async (text: RegExp) => {
      const told = await screen.findByText(text)
      await waitFor(() => expect(document.activeElement).toBe(told.closest('[tabindex]')))
      return told
    }
    await isThere(/has not arrived yet/)
    await person.click(screen.getByRole('button', { name: 'Check again' }))
    await isThere(/We couldn’t reach the site/)
    const spoken = screen.getAllByRole('status')
    await person.click(screen.getByRole('button', { name: 'Check again' }))
    const thanks = await isThere(/Thank you, your seats are paid/)
    expect(spoken).toContain(thanks.closest('[role="status"]'))
  })

  test.each([
    ['paid', /Thank you, your seats are paid\. Check your email\./],
    ['returned', /Your payment is being refunded/],
    ['ended', /Your seats were not paid/],
  ])('%s', async (outcome, text) => {
    api.current.on(VERIFY, { body: { outcome, eventId: 'gala' } })
    openAt('?session_id=cs_1&nonce=secret')
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    expect(api.current.requestsTo(VERIFY)[0]?.body).toEqual({ session_id: 'cs_1', nonce: 'secret' })
    expect(window.location.search).toBe('')
    const calendar = screen.queryByRole('link', { name: 'Add to calendar' })
    expect(calendar?.getAttribute('href')).toBe(outcome === 'paid' ? '/events/gala.ics' : undefined)
  })

  test('not there yet, no network, then there', async () => {
    api.current.on(VERIFY, { body: { outcome: 'open', eventId: 'gala' } }, 'no network', {
      body: { outcome: 'paid', eventId: 'gala' },
    })
    const { person } = openAt('?session_id=cs_1&nonce=secret')
    await person.click(await screen.findByRole('button', { name: 'Check again' }))
    await screen.findByText(/We couldn’t reach the site\. If you paid, nothing is lost/)
    await person.click(screen.getByRole('button', { name: 'Check again' }))
    expect((await screen.findAllByText(/Thank you, your seats are paid/)).length).toBeGreaterThan(0)
  })

  test('an invalid link shows an error and offers no retry', async () => {
    api.current.on(VERIFY, errorResponse(403, 'PAYMENT_LINK_INVALID', 'This link is invalid or expired.'))
    openAt('?session_id=cs_1&nonce=guessed')
    await screen.findByText(/This link does not match any payment/)
    expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
  })

  test('canceling the payment releases the seats and links to the event', async () => {
    api.current.on('POST /api/rsvp/payment/give-up', { body: { eventId: 'gala' } })
    openAt('?order=o1&nonce=secret')
    const link = await screen.findByRole('link', { name: 'Back to the event' })
    expect(link.getAttribute('href')).toBe('/events/gala#rsvp')
  })

  test.each(['', '?session_id=cs_1'])('a link that lacks a part says so: "%s"', async (search) => {
    openAt(search)
    await screen.findByText(/This link is incomplete/)
    expect(api.current.sent).toEqual([])
  })
})
