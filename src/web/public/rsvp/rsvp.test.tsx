import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { OwnRsvp } from '#contract/rsvp.ts'
import { refusal, useFakeApi } from '#web/api/fake-api.ts'
import { leaveFor } from '#web/api/leave.ts'
import { renderPage } from './render-page.tsx'
import RsvpPage from './rsvp.tsx'

vi.mock('#web/api/leave.ts', () => ({
  leaveFor: vi.fn<() => Promise<void>>(async () => {}),
  reloadPage: vi.fn<() => void>(),
}))
beforeEach(() => vi.mocked(leaveFor).mockClear())

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

describe('an RSVP that was paid', () => {
  test('one more guest is paid first; what was typed stays while the provider is away', async () => {
    api.current
      .on(READ, { body: own() })
      .on(
        'POST /api/rsvp/change',
        refusal(
          502,
          'CHECKOUT_FAILED',
          'Our card provider does not answer. Nothing was charged; please try again in a minute.',
        ),
        { body: { ...own(), payAt: 'https://pay.example/more' } },
      )
    const { person } = openAt('?token=t')
    await screen.findByText(
      'Paid: $100. Seats that are given back by December 12, 2026 are refunded; later ones are not.',
    )
    await person.selectOptions(screen.getByLabelText('Guests who come with you'), '2')
    screen.getByText('To pay now: $50')
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await screen.findByText(/Nothing was charged/)
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://pay.example/more'))
  })

  test.each([
    [true, '$50 goes back to the card you paid with.', '$100 goes back to the card you paid with.'],
    [false, 'Seats that are given back now are not refunded.', 'The $100 you paid is not refunded.'],
  ])(
    'before seats are given back it says what becomes of the money (refundable: %s)',
    async (isRefundable, fewer, all) => {
      api.current
        .on(READ, { body: own({ money: { ...money, isRefundable } }) })
        .on('POST /api/rsvp/cancel', { body: own({ place: 'cancelled', money: { ...money, isRefundable } }) })
      const { person } = openAt('?token=t')
      await person.selectOptions(await screen.findByLabelText('Guests who come with you'), '0')
      screen.getByText(fewer)
      await person.click(screen.getByRole('button', { name: 'I cannot come' }))
      await screen.findByText(all)
      await person.click(screen.getByRole('button', { name: 'Cancel my RSVP' }))
      await screen.findByText(/Your seats were given back/)
    },
  )

  test('off the waitlist: what to pay, until when, and the way there', async () => {
    const owing = { ...money, paid: 0, owed: 10_000, payBy: '2026-12-01T17:00:00.000Z' }
    api.current
      .on(READ, { body: own({ place: 'paying', money: owing }) })
      .on('POST /api/rsvp/pay', refusal(409, 'RSVP_CLOSED', 'RSVPs for this event are closed.'), {
        body: { payAt: 'https://pay.example/owed' },
      })
    const { person } = openAt('?token=t')
    await screen.findByText('Please pay $100')
    screen.getByText(
      /Your seats are kept until December 1, 2026 at 12:00 PM EST; after that they go to the next in line/,
    )
    await person.click(screen.getByRole('button', { name: 'Pay $100' }))
    await screen.findByText('RSVPs for this event are closed.')
    await person.click(screen.getByRole('button', { name: 'Pay $100' }))
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('https://pay.example/owed'))
  })
})

describe('what was done stands before whoever did it', () => {
  const isThere = (words: HTMLElement) =>
    waitFor(() => expect(document.activeElement).toBe(words.closest('[tabindex]')))

  test('each time a change is saved', async () => {
    api.current
      .on(READ, { body: own({ money: null }) })
      .on('POST /api/rsvp/change', { body: own({ money: null, guests: 2 }) })
    const { person } = openAt('?token=t')
    for (const guests of ['2', '1']) {
      await person.selectOptions(await screen.findByLabelText('Guests who come with you'), guests)
      await person.click(screen.getByRole('button', { name: 'Save the change' }))
      await isThere(await screen.findByText(/Your RSVP was changed/))
    }
  })

  test('once the seats are given back', async () => {
    api.current
      .on(READ, { body: own({ money: null }) })
      .on('POST /api/rsvp/cancel', { body: own({ place: 'cancelled', money: null }) })
    const { person } = openAt('?token=t')
    await person.click(await screen.findByRole('button', { name: 'I cannot come' }))
    await person.click(await screen.findByRole('button', { name: 'Cancel my RSVP' }))
    await isThere(await screen.findByText(/Your seats were given back/))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await isThere(screen.getByText(/Your seats were given back/))
  })
})

test('while seats are given back the window stays and nothing calls it off; what is refused is told there', async () => {
  let refuse!: () => void
  const answer = new Promise<ReturnType<typeof refusal>>((resolve) => {
    refuse = () => resolve(refusal(502, 'CHECKOUT_FAILED', 'Our card provider does not answer.'))
  })
  api.current.on(READ, { body: own() }).on('POST /api/rsvp/cancel', answer)
  const { person } = openAt('?token=t')
  await person.click(await screen.findByRole('button', { name: 'I cannot come' }))
  await person.click(await screen.findByRole('button', { name: 'Cancel my RSVP' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Keep it' }).disabled).toBe(true)
  await person.keyboard('{Escape}')
  await person.click(screen.getByRole('button', { name: 'Close' }))
  refuse()
  await screen.findByText('Our card provider does not answer.')
  await person.click(screen.getByRole('button', { name: 'Keep it' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

describe('an RSVP that is not confirmed', () => {
  const heldUntil = '2026-12-01T17:30:00.000Z'
  const asked = own({ place: 'unconfirmed', money: null, heldUntil })
  const CONFIRM = 'POST /api/rsvp/confirm'

  test('nothing is sent by opening it; the button confirms, and a refusal is told', async () => {
    api.current
      .on(READ, { body: asked })
      .on(CONFIRM, refusal(409, 'RSVP_CLOSED', 'RSVPs for this event are closed.'), { body: own({ money: null }) })
    const { person } = openAt('#token=t')
    await screen.findByText('Your seats are held until December 1, 2026 at 12:30 PM EST.')
    screen.getByText('Leela, with 1 guest')
    expect(screen.queryByRole('button', { name: 'Save the change' })).toBeNull()
    expect(api.current.of(CONFIRM)).toEqual([])
    await person.click(screen.getByRole('button', { name: 'Confirm my RSVP' }))
    await screen.findByText('RSVPs for this event are closed.')
    await person.click(screen.getByRole('button', { name: 'Confirm my RSVP' }))
    const done = await screen.findByText('Your seats are yours. An email has the code for the door.')
    await waitFor(() => expect(document.activeElement).toBe(done.closest('[tabindex]')))
    expect(screen.queryByRole('button', { name: 'Confirm my RSVP' })).toBeNull()
  })

  test('once the time is over it says what confirming still does, and it can be withdrawn', async () => {
    api.current
      .on(READ, { body: { ...asked, heldUntil: null } })
      .on('POST /api/rsvp/cancel', { body: own({ place: 'cancelled', money: null }) })
    const { person } = openAt('#token=t')
    await screen.findByText(/No seats are held for you at the moment/)
    await person.click(screen.getByRole('button', { name: 'I cannot come' }))
    await person.click(await screen.findByRole('button', { name: 'Cancel my RSVP' }))
    await screen.findByText('Your RSVP was withdrawn. Nothing is held for you.')
  })
})

test('the certificate is asked for with the token in the body, never in an address', async () => {
  URL.createObjectURL = vi.fn<() => string>(() => 'blob:certificate')
  URL.revokeObjectURL = vi.fn<() => void>()
  const certificate = 'POST /api/rsvp/certificate'
  api.current
    .on(READ, { body: own({ hasCertificate: true }) })
    .on(certificate, refusal(410, 'RSVP_LINK_INVALID', 'This link is no longer valid.'), { body: {} })
  const { person } = openAt('#token=secret')
  const button = await screen.findByRole('button', { name: 'Certificate of attendance (PDF)' })
  await person.click(button)
  await screen.findByText('This link is no longer valid.')
  await person.click(button)
  await waitFor(() => expect(URL.createObjectURL).toHaveBeenCalledOnce())
  expect(api.current.of(certificate).map(({ body }) => body)).toEqual([{ token: 'secret' }, { token: 'secret' }])
  expect(document.body.innerHTML).not.toContain('secret')
})

describe('back from the card provider', () => {
  const VERIFY = 'POST /api/rsvp/payment'

  test('what became of the payment takes the focus and is read aloud, each time it is looked for', async () => {
    api.current.on(VERIFY, { body: { outcome: 'open' } }, 'no network', { body: { outcome: 'paid' } })
    const { person } = openAt('?session_id=cs_1&nonce=secret')
    const isThere = async (words: RegExp) => {
      const told = await screen.findByText(words)
      await waitFor(() => expect(document.activeElement).toBe(told.closest('[tabindex]')))
      return told
    }
    await isThere(/has not arrived yet/)
    await person.click(screen.getByRole('button', { name: 'Look again' }))
    await isThere(/The site did not answer/)
    const spoken = screen.getAllByRole('status')
    await person.click(screen.getByRole('button', { name: 'Look again' }))
    const thanks = await isThere(/Thank you, your seats are paid/)
    expect(spoken).toContain(thanks.closest('[role="status"]'))
  })

  test.each([
    ['paid', /Thank you, your seats are paid\. Check your email\./],
    ['returned', /Your payment goes back/],
    ['ended', /Your seats were not paid/],
  ])('%s', async (outcome, words) => {
    api.current.on(VERIFY, { body: { outcome } })
    openAt('?session_id=cs_1&nonce=secret')
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
    expect(api.current.of(VERIFY)[0]?.body).toEqual({ session_id: 'cs_1', nonce: 'secret' })
    expect(window.location.search).toBe('')
  })

  test('not there yet, no network, then there', async () => {
    api.current.on(VERIFY, { body: { outcome: 'open' } }, 'no network', { body: { outcome: 'paid' } })
    const { person } = openAt('?session_id=cs_1&nonce=secret')
    await person.click(await screen.findByRole('button', { name: 'Look again' }))
    await screen.findByText(/The site did not answer\. If you paid, nothing is lost/)
    await person.click(screen.getByRole('button', { name: 'Look again' }))
    expect((await screen.findAllByText(/Thank you, your seats are paid/)).length).toBeGreaterThan(0)
  })

  test('a stranger’s link says so and offers no other try', async () => {
    api.current.on(VERIFY, refusal(403, 'PAYMENT_LINK_INVALID', 'This link is invalid or expired.'))
    openAt('?session_id=cs_1&nonce=guessed')
    await screen.findByText(/This link does not match any payment/)
    expect(screen.queryByRole('button', { name: 'Look again' })).toBeNull()
  })

  test('whoever would not pay gives the seats back and finds the event', async () => {
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
