import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { linkIn } from '#tests/support/mailbox.ts'
import { test } from './steps/journey.ts'
import { DECLINED_CARD, GOOD_CARD, payWith } from './steps/joining.ts'
import { PATIENCE, seeAlert, seeText } from './steps/look.ts'
import { admin, enterConsole } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const EVENT = 'gala-under-the-oaks'
/** Called off here, so no other journey's. */
const CALLED_OFF = 'health-fair'

describe('seats that are paid by card', () => {
  test('an officer sets a price; a guest goes back from paying, pays with a second card, brings one more, and gives all back; another event is called off', async ({
    arrive,
    mailbox,
    order,
    site,
  }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const officer = await arrive({ expects: [/status of 400/] })
    await enterConsole(officer, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })
    await officer.goto(`/console/rsvp/${EVENT}/offer`)
    await officer.getByLabel('Seats', { exact: true }).fill('3')
    await officer.getByLabel('Guests a person may bring').fill('2')
    await officer.getByLabel('Price per person, in dollars').fill('50')
    await officer.getByLabel('Price for members, in dollars').fill('60')
    await officer.getByLabel(/^RSVPs are open/).check()
    await officer.getByRole('button', { name: 'Save', exact: true }).click()
    await seeText(officer, 'Members should not pay more than everybody else')
    await officer.getByLabel('Price for members, in dollars').fill('0')
    await officer.getByLabel('Money back until').fill(await tomorrow(officer))
    await officer.getByRole('button', { name: 'Save', exact: true }).click()
    await seeText(officer, 'Saved. The event’s page shows it within a second.')

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
    const receipt = await mailbox.waitForLetter(guest.email, /^Your receipt R-/)
    expect(receipt.text).toContain('Amount: $50 USD')

    await phone.goto(linkIn(await mailbox.waitForLetter(guest.email, /^You are on the list/)))
    await seeText(phone, /^Paid: \$50\. Seats that are given back by /)
    await phone.getByLabel('Guests who come with you').selectOption('1')
    await seeText(phone, 'To pay now: $50')
    await phone.getByRole('button', { name: 'Continue to payment' }).click()
    await payWith(phone, GOOD_CARD)
    await seeText(phone, 'Thank you, your seats are paid. Check your email.')
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

    await phone.goto(linkIn(await mailbox.waitForLetter(guest.email, /^Your RSVP was changed/)))
    await phone.getByRole('button', { name: 'I cannot come' }).click()
    await seeText(phone, '$100 goes back to the card you paid with.')
    await phone.getByRole('button', { name: 'Cancel my RSVP' }).click()
    await seeText(phone, /^Your seats were given back, and \$100 goes back to your card/)
    await mailbox.waitForLetter(guest.email, /^\$50 on the way back/)

    // Two payments, each returned by itself: the page may be read between the two.
    const bothRefunded = () => officer.getByText('Refunded', { exact: true }).nth(1).waitFor({ timeout: 3_000 })
    await expect
      .poll(async () => {
        await officer.goto('/console/payments')
        return bothRefunded().then(
          () => true,
          () => false,
        )
      }, PATIENCE)
      .toBe(true)

    await officer.setViewportSize(PHONE.viewport)
    await officer.goto(`/console/rsvp/${CALLED_OFF}/offer`)
    await officer.getByLabel('Price per person, in dollars').fill('50')
    await officer.getByLabel(/^RSVPs are open/).check()
    await officer.getByRole('button', { name: 'Save', exact: true }).click()
    await seeText(officer, 'Saved. The event’s page shows it within a second.')
    await fillIn(phone, guest.email, CALLED_OFF)
    await phone.getByRole('button', { name: 'Continue to payment' }).click()
    await payWith(phone, GOOD_CARD)
    await seeText(phone, 'Thank you, your seats are paid. Check your email.')
    await officer.reload()
    await officer.getByRole('button', { name: 'Call the event off' }).click()
    await seeText(officer, /\$50 goes back to the cards it came from/)
    await officer.getByLabel(/^What guests should know/).fill('The park is closed after the storm.')
    await officer.getByRole('button', { name: 'Call it off' }).click()
    await seeText(
      officer,
      /^The event is called off: letters to one party are on their way, and \$50 is on its way back/,
    )
    expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    const letter = await mailbox.waitForLetter(guest.email, /^Called off: /)
    expect(letter.text).toContain('The park is closed after the storm. What you paid, $50, goes back to your card')
    await mailbox.waitForLetter(guest.email, /^\$50 on the way back/)
    await expect
      .poll(async () => {
        await phone.goto(`/events/${CALLED_OFF}`)
        return phone.getByText('This event is called off').count()
      }, PATIENCE)
      .toBe(1)
  })
})

async function fillIn(phone: Page, email: string, event = EVENT): Promise<void> {
  const button = phone.getByRole('button', { name: 'I would like to come' })
  await expect
    .poll(async () => {
      await phone.goto(`/events/${event}`)
      return button.count()
    }, PATIENCE)
    .toBe(1)
  await button.click()
  await phone.getByLabel('Name').fill('Ana Rao')
  await phone.getByLabel('Email').fill(email)
}

/** Tomorrow, as the date field wants it. */
async function tomorrow(page: Page): Promise<string> {
  return page.evaluate(() => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10))
}
