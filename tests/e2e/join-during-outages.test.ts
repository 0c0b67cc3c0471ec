import { describe, expect } from 'vitest'
import type { ControlOrder } from '#standins/control.ts'
import { test } from './steps/journey.ts'
import {
  GOOD_CARD,
  chooseLevel,
  fillRegistration,
  payWith,
  register,
  submitRegistration,
  typeCode,
  verificationCode,
  verificationLink,
} from './steps/joining.ts'
import { seeAlert, seeHeading, seeText } from './steps/expectations.ts'
import { newPerson } from './steps/people.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

// Stand-in failures affect all journeys, so these run one after the other.
describe('too late', () => {
  test('a registration expires after a day: then the email leads to a new one', async ({ arrive, mailbox, order }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [/status of 410 .*\/api\/auth\/verify-email/] })
    await register(page, ana)
    const link = await verificationLink(mailbox, ana)
    await order({ advanceMs: 25 * HOUR_MS })

    await page.goto(link)
    await seeHeading(page, 'Registration expired')
    await seeText(page, 'Your registration has expired. Please register again.')
    await page.getByRole('main').getByRole('link', { name: 'Start New Registration' }).click()
    await page.waitForURL('**/become-a-member')
    await register(page, ana, 'medical student')
    await typeCode(page, await verificationCode(mailbox, ana, 2))
    await seeHeading(page, 'Membership Activated!')
  })
})

describe('the card provider', () => {
  test('may send its webhook events later', async ({ arrive, mailbox, order }) => {
    const ana = newPerson()
    const page = await arrive()
    await order({ webhooks: 'delay' })
    await register(page, ana)
    await page.goto(await verificationLink(mailbox, ana))
    await payWith(page, GOOD_CARD)
    await seeHeading(page, 'Payment Successful!')
    await seeText(page, /^Annual Member: renews on/)

    await order({ webhooks: 'deliver' })
    await order({ flushWebhooks: true })
    await mailbox.waitForEmail(ana.email, /^Welcome/)
    await mailbox.waitForEmail(ana.email, /^Receipt/)
    expect(await mailbox.emailsTo(ana.email)).toHaveLength(3)
  })

  test('refuses to create a checkout, and a retry succeeds', async ({ arrive, mailbox, order }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [/status of 502 .*\/api\/stripe\/checkout\/start/] })
    await register(page, ana)
    await order({ stripe: 'refuse' })
    await page.goto(await verificationLink(mailbox, ana))
    await seeAlert(page, 'Checkout failed')
    await order({ stripe: 'ok' })
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await payWith(page, GOOD_CARD)
    await seeHeading(page, 'Payment Successful!')
  })

  test('is down when the payment is confirmed and never sends its events, and the page retries', async ({
    arrive,
    mailbox,
    order,
  }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [/status of 502 .*verify-session/] })
    await register(page, ana)
    await page.goto(await verificationLink(mailbox, ana))
    await page.getByLabel('Card number').waitFor()
    await order({ stripe: 'error', webhooks: 'drop' })
    await payWith(page, GOOD_CARD)
    await seeHeading(page, 'We could not confirm your payment')
    await seeAlert(page, 'Failed to verify payment. Please contact support.')
    await order({ stripe: 'ok' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await seeHeading(page, 'Payment Successful!')
  })
})

describe('the mail server and the bot check', () => {
  test('an email that could not be sent arrives later', async ({ arrive, mailbox, order }) => {
    const ana = newPerson()
    const page = await arrive()
    await order({ mail: 'refuse' })
    await register(page, ana)
    expect(await mailbox.emailsTo(ana.email)).toEqual([])
    await order({ mail: 'ok' })
    await order({ advanceMs: 10 * MINUTE_MS })
    await page.goto(await verificationLink(mailbox, ana))
    await seeHeading(page, 'Email Verified Successfully!')
    expect(await mailbox.emailsTo(ana.email)).toHaveLength(1)
  })

  test('a registration waits for the bot check, and no input is lost', async ({ arrive, order }) => {
    const ana = newPerson()
    const page = await arrive({
      expects: [/status of 400 .*\/api\/auth\/register/, /status of 503 .*\/api\/auth\/register/],
    })
    await chooseLevel(page)
    await fillRegistration(page, ana)
    const wishes: ControlOrder[] = [{ botScore: 0.4 }, { botScore: 0.9, bot: 'error' }]
    for (const wish of wishes) {
      await order(wish)
      await submitRegistration(page)
      await seeAlert(page, 'Security verification failed. Please refresh the page and try again.')
      expect(await page.getByLabel('Email').inputValue()).toBe(ana.email)
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(ana.password)
    }
    await order({ bot: 'ok' })
    await submitRegistration(page)
    await seeHeading(page, 'Check your email')
  })
})
