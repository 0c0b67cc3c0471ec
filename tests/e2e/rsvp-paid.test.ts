import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { linkIn } from '#tests/support/emails/mailbox.ts'
import { test } from './steps/journey.ts'
import { DECLINED_CARD, GOOD_CARD, payWith } from './steps/joining.ts'
import { POLL_OPTIONS, seeAlert, seeText } from './steps/expectations.ts'
import { admin, openConsoleWithApp } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const EVENT = 'white-coat-walk'
/** An event that this journey cancels, so no other uses it. */
const CANCELED_EVENT = 'health-fair'

describe('seats that are paid by card', () => {
  test('an officer sets a price; a guest leaves the payment page, pays with a second card, adds a guest, and cancels; another event is canceled', async ({
    arrive,
    mailbox,
    order,
    site,
  }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const officer = await arrive({ expects: [/status of 400/] })
    await openConsoleWithApp(officer, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })
    await officer.goto(`/console/rsvp/${EVENT}/offer`)
    await officer.getByLabel('Seats', { exact: true }).fill('3')
    await officer.getByLabel('Guests per person').fill('2')
    await officer.getByLabel('Price per person ($)').fill('50')
    await officer.getByLabel('Member price ($)').fill('60')
    await officer.getByLabel(/^RSVPs are open/).check()
    await officer.getByRole('button', { name: 'Save', exact: true }).click()
    await seeText(officer, 'Members should not pay more than everyone else')
    await officer.getByLabel('Member price ($)').fill('0')
    await officer.getByLabel('Refunds until').fill(await tomorrow(officer))
    await officer.getByRole('button', { name: 'Save', exact: true }).click()
    await seeText(officer, 'Saved. The change is live.')

    const guest = newPerson()
    const phone = await arrive(PHONE)
    await fillIn(phone, guest.email)
    await seeText(phone, 'To pay now: $50')
    await phone.getByRole('button', { name: 'Continue to payment' }).click()
    await phone.getByRole('link', { name: 'Cancel' }).click()
    await seeText(phone, 'Nothing was charged')
    expect(phone.url()).not.toContain('nonce')
    await phone.getByRole('link', { name: 'Back to the event' }).click()

    await fillIn(phone, guest.email)
    await phone.getByRole('button', { name: 'Continue to payment' }).click()
    await payWith(phone, DECLINED_CARD)
    await seeAlert(phone, 'Your card was declined.')
    await payWith(phone, GOOD_CARD)
    await seeText(phone, 'Thank you, your seats are paid. Check your email.')
    await phone.reload()
    await seeText(phone, 'Thank you, your seats are paid. Check your email.')
    await order({ flushWebhooks: true })
    const receipt = await mailbox.waitForEmail(guest.email, /^Your receipt R-/)
    expect(receipt.text).toContain('Amount: $50 USD')

    await phone.goto(linkIn(await mailbox.waitForEmail(guest.email, /^You are on the list/)))
    await seeText(phone, /^Paid: \$50\. Cancel by /)
    await phone.getByLabel('Guests', { exact: true }).selectOption('1')
    await seeText(phone, 'To pay now: $50')
    await phone.getByRole('button', { name: 'Continue to payment' }).click()
    await payWith(phone, GOOD_CARD)
    await seeText(phone, 'Thank you, your seats are paid. Check your email.')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

    await phone.goto(linkIn(await mailbox.waitForEmail(guest.email, /^Your RSVP was changed/)))
    await phone.getByRole('button', { name: 'Cancel RSVP', exact: true }).click()
    await seeText(phone, '$100 will be refunded to the card you paid with.')
    await phone.getByRole('button', { name: 'Cancel my RSVP' }).click()
    await seeText(phone, /^Your RSVP was canceled, and \$100 will be refunded to your card/)
    await mailbox.waitForEmail(guest.email, /^Your refund of \$50/)

    // Two payments with separate refunds: the page may be read between the two.
    const bothRefunded = () => officer.getByText('Refunded', { exact: true }).nth(1).waitFor({ timeout: 3_000 })
    await expect
      .poll(async () => {
        await officer.goto('/console/payments')
        return bothRefunded().then(
          () => true,
          () => false,
        )
      }, POLL_OPTIONS)
      .toBe(true)

    await officer.setViewportSize(PHONE.viewport)
    await officer.goto(`/console/rsvp/${CANCELED_EVENT}/offer`)
    await officer.getByLabel('Price per person ($)').fill('50')
    await officer.getByLabel(/^RSVPs are open/).check()
    await officer.getByRole('button', { name: 'Save', exact: true }).click()
    await seeText(officer, 'Saved. The change is live.')
    await fillIn(phone, guest.email, CANCELED_EVENT)
    await phone.getByRole('button', { name: 'Continue to payment' }).click()
    await payWith(phone, GOOD_CARD)
    await seeText(phone, 'Thank you, your seats are paid. Check your email.')
    await officer.reload()
    await officer.getByRole('button', { name: 'Cancel event' }).click()
    await seeText(officer, /\$50 will be refunded to their cards/)
    await officer.getByLabel(/^Message to guests/).fill('The park is closed after the storm.')
    await officer.getByRole('dialog').getByRole('button', { name: 'Cancel event' }).click()
    await seeText(officer, /^Event canceled. Emails to one party are being sent, and \$50 is being refunded/)
    expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    const message = await mailbox.waitForEmail(guest.email, /^Canceled: /)
    expect(message.text).toContain(
      'The park is closed after the storm. Your payment of $50 will be refunded to your card',
    )
    await mailbox.waitForEmail(guest.email, /^Your refund of \$50/)
    await expect
      .poll(async () => {
        await phone.goto(`/events/${CANCELED_EVENT}`)
        return phone.getByText('This event is canceled').count()
      }, POLL_OPTIONS)
      .toBe(1)
  })
})

async function fillIn(phone: Page, email: string, event = EVENT): Promise<void> {
  const form = phone.getByRole('heading', { name: 'RSVP', exact: true })
  await expect
    .poll(async () => {
      await phone.goto(`/events/${event}`)
      return form.count()
    }, POLL_OPTIONS)
    .toBe(1)
  await form.scrollIntoViewIfNeeded()
  await phone.getByLabel('Name').fill('Ana Rao')
  await phone.getByLabel('Email').fill(email)
}

/** Tomorrow, in the date field's format. */
async function tomorrow(page: Page): Promise<string> {
  return page.evaluate(() => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10))
}
