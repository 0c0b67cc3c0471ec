import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Subscription } from '#contract/public/account.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { directoryChoiceSample, renderAccount } from '#tests/support/web/account-test-helpers.tsx'
import { annual, level, profile, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  redirectTo: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  reloadPage: vi.fn<() => void>(),
}))

const api = useFakeApi()
const PROFILE = 'GET /api/account/profile'
const BILLING = '/auth/account/membership'
const PROFILE_PAGE = '/auth/account/profile'
const STATEMENTS = 'GET /api/billing/statements'
const PORTAL = 'POST /api/billing/portal-session'
beforeEach(() => vi.mocked(redirectTo).mockReset().mockResolvedValue())

function openAs(subscription: Subscription | null, at = '/auth/account') {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/account/directory', { body: directoryChoiceSample })
  api.current.on('GET /api/account/record', { body: { fields: [], version: 'v1' } })
  api.current.on('GET /api/account/rolls', { body: { rolls: [] } })
  api.current.on(PROFILE, { body: { profile, subscription } }).on(STATEMENTS, { body: { years: [] } })
  return renderAccount(at)
}

describe('the payment line', () => {
  const PAYMENTS = 'GET /api/billing/payments'
  const payment = {
    receiptNumber: 'R-2026-7K3M9Q2X',
    purpose: 'renewal',
    levelName: 'Annual Member',
    amount: 10_000,
    currency: 'usd',
    amountRefunded: 0,
    dispute: null,
    chargedAt: '2026-03-02T15:04:05.000Z',
    confirmedAt: '2026-03-02T15:04:07.000Z',
    activatedAt: '2026-03-02T15:04:07.000Z',
    receiptMailedAt: null,
  }

  test('shows each step with its time, or as waiting', async () => {
    api.current.on(PAYMENTS, { body: { payments: [payment] } })
    openAs(subscriptionTo(annual), BILLING)
    await screen.findByRole('heading', { name: 'Annual Member, renewal, March 2, 2026' })
    const steps = within(screen.getByText('Card charged').closest('ol') as HTMLElement).getAllByRole('listitem')
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'Card chargedMarch 2, 2026 at 10:04 AM EST',
      'Payment confirmedMarch 2, 2026 at 10:04 AM EST',
      'Membership activeMarch 2, 2026 at 10:04 AM EST',
      'Receipt emailedWaiting',
    ])
  })

  test.each([
    [{ amountRefunded: 2_500 }, '$25 refunded'],
    [{ amountRefunded: 10_000 }, 'Refunded'],
    [{ dispute: 'open' }, 'Disputed with your bank'],
    [{ dispute: 'lost' }, 'Refunded by your bank'],
  ])('shows refunds and disputes: %o', async (changed, text) => {
    api.current.on(PAYMENTS, { body: { payments: [{ ...payment, ...changed }] } })
    openAs(subscriptionTo(annual), BILLING)
    await screen.findByText(text)
  })

  test('shows an empty state without payments', async () => {
    openAs(null, BILLING)
    await screen.findByText('No payments yet.')
  })

  test('that cannot be loaded shows an error and can be retried', async () => {
    api.current.on(PAYMENTS, 'no network', { body: { payments: [payment] } })
    const { person } = openAs(subscriptionTo(annual), BILLING)
    await screen.findByText('Your payments could not be loaded. Please check your connection.')
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: /renewal/ })
  })

  test('a receipt is fetched with the bearer and saved under its number; a failure is shown', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    URL.createObjectURL = () => 'blob:receipt'
    URL.revokeObjectURL = () => {}
    const RECEIPT = 'GET /api/billing/receipts/R-2026-7K3M9Q2X'
    api.current.on(PAYMENTS, { body: { payments: [payment] } }).on(RECEIPT, 'no network', { text: '%PDF' })
    const { person } = openAs(subscriptionTo(annual), BILLING)
    const button = await screen.findByRole('button', { name: 'Download receipt R-2026-7K3M9Q2X' })
    await person.click(button)
    await screen.findByText('The receipt could not be loaded. Please try again.')
    await person.click(button)
    await waitFor(() => expect(saved).toEqual(['receipt-R-2026-7K3M9Q2X.pdf']))
    expect(api.current.requestsTo(RECEIPT)[0]?.bearer).toBe(localStorage.getItem('token'))
  })
})

describe('the statements', () => {
  test('of each year with a payment can be downloaded', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    URL.createObjectURL = () => 'blob:statement'
    URL.revokeObjectURL = () => {}
    const { person } = openAs(subscriptionTo(annual), BILLING)
    const years = [{ year: 2026, amount: 12_500, currency: 'usd' }]
    api.current
      .on(STATEMENTS, { body: { years } })
      .on('GET /api/billing/statements/2026', 'no network', { text: '%PDF' })
    const button = await screen.findByRole('button', { name: 'Download statement for 2026' })
    expect(button.closest('li')?.textContent).toContain('$125')
    await person.click(button)
    await screen.findByText('The statement could not be loaded. Please try again.')
    await person.click(button)
    await waitFor(() => expect(saved).toEqual(['statement-2026.pdf']))
  })

  test('are not mentioned before the first payment', async () => {
    openAs(null, BILLING)
    await waitFor(() => expect(api.current.requestsTo(STATEMENTS)).toHaveLength(1))
    await screen.findByText('No payments yet.')
    // Once this has appeared, an answer of the same age has been rendered too.
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(screen.queryByRole('heading', { name: 'Statements' })).toBeNull()
  })
})

describe('how a membership renews', () => {
  const end = '2027-03-02T12:00:00.000Z'
  const byHand = { renewal: 'by-hand', nextBillDate: null, cancelDate: end } as const
  const student = { ...annual, key: 'medical_student', name: 'Medical Student', unitAmount: 0 }

  test('stopped: it can be resumed', async () => {
    openAs(subscriptionTo(annual, { renewal: 'stopped', nextBillDate: null, cancelDate: end }))
    await screen.findByText('It will not renew. You can resume it until its last day.')
    screen.getByRole('button', { name: 'Manage billing' })
  })

  test('manual renewal: leads to the payment for one more term', async () => {
    api.current.on(PORTAL, { body: { url: 'https://checkout.example/cs_1' } })
    const { person } = openAs(subscriptionTo(annual, byHand))
    await person.click(await screen.findByRole('button', { name: 'Renew membership' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://checkout.example/cs_1'))
  })

  test('free: not before its last weeks', async () => {
    const endsLate = new Date(Date.now() + 60 * 86_400_000).toISOString()
    openAs(subscriptionTo(student, { ...byHand, cancelDate: endsLate }))
    await screen.findByText(/You can renew it starting/)
    expect(screen.queryByRole('button', { name: 'Renew membership' })).toBeNull()
  })

  test('past due: the next attempt and the last day', async () => {
    openAs(
      subscriptionTo(annual, {
        status: 'PAST_DUE',
        nextBillDate: '2027-03-05T12:00:00.000Z',
        cancelDate: '2027-03-16T12:00:00.000Z',
      }),
    )
    await screen.findByText(/We will try your card again on March 5, 2027/)
  })
})

describe('credentials', () => {
  const CREDENTIALS = 'GET /api/account/credentials'
  const GIVE = 'PUT /api/account/credentials'
  const given = {
    kind: 'licence',
    place: null,
    endsOn: null,
    question: null,
    npi: '1234567893',
    licenceState: 'GA',
    status: 'waiting',
    givenAt: '2026-03-02T15:04:05.000Z',
    decidedAt: null,
    reason: null,
  }

  test('are submitted after checking the NPI’s check digit, and then wait', async () => {
    api.current.on(GIVE, { body: { credentials: given } })
    const { person } = openAs(null, PROFILE_PAGE)
    await person.type(await screen.findByLabelText('NPI'), '1234567890')
    await person.type(screen.getByLabelText('License state'), 'ga')
    await person.click(screen.getByRole('button', { name: 'Submit for verification' }))
    expect(screen.getAllByText(/The check digit does not match/).length).toBeGreaterThan(0)
    expect(api.current.requestsTo(GIVE)).toEqual([])
    await person.clear(screen.getByLabelText('NPI'))
    await person.type(screen.getByLabelText('NPI'), '1234567893')
    await person.click(screen.getByRole('button', { name: 'Submit for verification' }))
    await screen.findByText('Waiting for review')
    expect(api.current.requestsTo(GIVE)[0]?.body).toMatchObject({ npi: '1234567893' })
    expect(screen.getByText('Your credentials were saved.').closest('[role=status]')).not.toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change credentials' }))
  })

  test('are changed with the focus in the first field, or kept', async () => {
    api.current.on(CREDENTIALS, { body: { credentials: given } })
    const { person } = openAs(null, PROFILE_PAGE)
    const change = () => screen.findByRole('button', { name: 'Change credentials' })
    await screen.findByText('1234567893')
    expect(document.activeElement).toBe(document.body)
    await person.click(await change())
    expect(document.activeElement).toBe(screen.getByLabelText('I am'))
    await person.clear(screen.getByLabelText('NPI'))
    await person.click(screen.getByRole('button', { name: 'Cancel' }))
    screen.getByText('1234567893')
    expect(document.activeElement).toBe(await change())
    expect(api.current.requestsTo(GIVE)).toEqual([])
  })

  test.each([
    [{ status: 'approved', decidedAt: '2026-03-05T15:04:05.000Z' }, 'Verified', 'March 5, 2026'],
    [
      { status: 'declined', decidedAt: '2026-03-05T15:04:05.000Z', reason: 'The registry has another name.' },
      'Not verified',
      'The registry has another name.',
    ],
  ])('decided: %o', async (changed, status, text) => {
    api.current.on(CREDENTIALS, { body: { credentials: { ...given, ...changed } } })
    const { person } = openAs(null, PROFILE_PAGE)
    await screen.findByText(status)
    screen.getByText(text)
    await person.click(screen.getByRole('button', { name: 'Change credentials' }))
    expect(screen.getByLabelText<HTMLInputElement>('NPI').value).toBe('1234567893')
  })

  test('of a resident are program and end date; the server checks the date too', async () => {
    const TRAIN = 'PUT /api/account/training'
    const trained = { ...given, kind: 'resident', npi: '', licenceState: '', place: 'Emory', endsOn: '2027-06-30' }
    const over = 'This day is over.'
    api.current.on(
      TRAIN,
      errorResponse(400, 'INVALID_INPUT', 'Please check the highlighted fields.', { endsOn: over }),
      {
        body: { credentials: trained },
      },
    )
    const { person } = openAs(subscriptionTo(level('resident_fellow')), PROFILE_PAGE)
    await person.type(await screen.findByLabelText('Program'), 'Emory')
    await person.click(screen.getByRole('button', { name: 'Submit for verification' }))
    expect(screen.getAllByText('Please enter the expected end date').length).toBeGreaterThan(0)
    await person.type(screen.getByLabelText('End of training'), '2020-06-30')
    await person.click(screen.getByRole('button', { name: 'Submit for verification' }))
    expect((await screen.findAllByText(over)).length).toBeGreaterThan(0)
    expect(screen.getByLabelText('Program')).toHaveProperty('value', 'Emory')
    await person.clear(screen.getByLabelText('End of training'))
    await person.type(screen.getByLabelText('End of training'), '2027-06-30')
    await person.click(screen.getByRole('button', { name: 'Submit for verification' }))
    await screen.findByText('June 30, 2027')
    expect(api.current.requestsTo(TRAIN)[1]?.body).toEqual({ stage: 'resident', place: 'Emory', endsOn: '2027-06-30' })
  })

  test('an officers’ question is answered with one click if nothing has changed', async () => {
    const asked = { ...given, status: 'approved', question: 'Is Georgia still your state?' }
    api.current.on(CREDENTIALS, { body: { credentials: asked } })
    api.current.on(GIVE, 'no network', { body: { credentials: { ...asked, question: null } } })
    const { person } = openAs(null, PROFILE_PAGE)
    await screen.findByText('Is Georgia still your state?')
    await person.click(screen.getByRole('button', { name: 'This is still correct' }))
    await screen.findByText(/could not be saved/)
    await person.click(screen.getByRole('button', { name: 'This is still correct' }))
    await screen.findByRole('button', { name: 'Change credentials' })
    expect(screen.queryByText('Is Georgia still your state?')).toBeNull()
    screen.getByText('Your credentials were saved.')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change credentials' }))
    expect(api.current.requestsTo(GIVE)[1]?.body).toEqual({ npi: '1234567893', licenceState: 'GA' })
  })

  test('after the end of training link to a license, a new end date and the levels', async () => {
    const over = { ...given, kind: 'student', npi: '', licenceState: '', place: 'Morehouse', endsOn: '2020-05-15' }
    api.current.on(CREDENTIALS, {
      body: { credentials: { ...over, status: 'approved', question: 'What comes after your training?' } },
    })
    const { person } = openAs(null, PROFILE_PAGE)
    await screen.findByText('What comes after your training?')
    expect(screen.getByRole('link', { name: /see the levels/ }).getAttribute('href')).toBe('/become-a-member')
    expect(screen.queryByRole('button', { name: 'This is still correct' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Update credentials' }))
    expect(screen.getByLabelText('Medical school')).toHaveProperty('value', 'Morehouse')
    await person.selectOptions(screen.getByLabelText('I am'), 'A licensed physician')
    screen.getByLabelText('NPI')
  })

  test('that cannot be loaded show an error, and so does a rejection', async () => {
    api.current.on(CREDENTIALS, 'no network')
    openAs(null, PROFILE_PAGE)
    await screen.findByText(/Your credentials could not be loaded/)
  })
})
