import { describe, expect, vi } from 'vitest'
import type { Page } from 'playwright-core'
import { test } from './steps/journey.ts'
import { DECLINED_CARD, GOOD_CARD, payWith } from './steps/joining.ts'
import { seeAlert, seeHeading, seeText } from './steps/expectations.ts'
import { newPerson, type Person } from './steps/people.ts'

/** Chooses a tier by its name and fills in the form; ends on the card provider's page. */
async function orderAs(page: Page, { firstName, email }: Person, tier: string, amount?: string): Promise<void> {
  await page.getByRole('button', { name: `Select ${tier}` }).click()
  await page.getByLabel('Full name').fill(`${firstName} Varghese`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Company or organization').fill('Kaveri Labs')
  if (amount) await page.getByLabel('Amount in dollars').fill(amount)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByLabel('Card number').waitFor()
}

describe.concurrent('sponsoring', () => {
  test(
    'a company chooses a tier from the home page and gets a confirmation on the page and by email',
    { tags: ['core'] },
    async ({ arrive, mailbox, order }) => {
      const sponsor = newPerson()
      const page = await arrive()
      await page.goto('/')
      await page.getByRole('link', { name: 'Sponsor us', exact: true }).click()
      await seeHeading(page, 'Stand with the people who get up at 5 AM.')
      await orderAs(page, sponsor, 'Gold')
      expect(await page.getByLabel('Email').inputValue()).toBe(sponsor.email)
      await seeText(page, /2,000\.00/)
      await payWith(page, GOOD_CARD)

      await seeHeading(page, 'Thank you for your sponsorship!')
      await seeText(page, 'Kaveri Labs')
      expect(new URL(page.url()).search).toBe('')
      await page.reload()
      await seeHeading(page, 'Thank you for your sponsorship!')
      await order({ flushWebhooks: true })
      const email = await mailbox.waitForEmail(sponsor.email, /^Thank you for your sponsorship/)
      expect(email.text).toContain('Amount: $2,000 USD')
      expect(await mailbox.emailsTo(sponsor.email)).toHaveLength(1)
    },
  )

  test('a custom amount, a declined card, and another that works', async ({ arrive, mailbox }) => {
    const sponsor = newPerson()
    const page = await arrive()
    await page.goto('/sponsor-us')
    await orderAs(page, sponsor, 'Custom Amount', '1234.50')
    await payWith(page, DECLINED_CARD)
    await seeAlert(page, 'Your card was declined.')
    await payWith(page, GOOD_CARD)
    await seeHeading(page, 'Thank you for your sponsorship!')
    const email = await mailbox.waitForEmail(sponsor.email, /^Thank you/)
    expect(email.text).toContain('Custom Amount - $1234.50')
  })

  test('after canceling, the sponsor can contact us or start again with an empty form', async ({ arrive, mailbox }) => {
    const sponsor = newPerson()
    const page = await arrive()
    await page.goto('/sponsor-us')
    await orderAs(page, sponsor, 'Silver')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await seeHeading(page, 'Sponsorship Cancelled')
    await page.getByRole('link', { name: 'Contact us', exact: true }).click()
    await seeHeading(page, 'Contact Us')
    await vi.waitFor(async () => expect(await page.getByLabel('Subject').inputValue()).toBe('Sponsorship Question'))
    await page.goBack()
    await page.getByRole('link', { name: 'Back to the tiers' }).click()
    await page.getByRole('button', { name: 'Select Silver' }).click()
    expect(await page.getByLabel('Full name').inputValue()).toBe('')
    expect(await mailbox.emailsTo(sponsor.email)).toEqual([])
  })

  test('an incomplete or unknown link shows an error and links to the contact page', async ({ arrive }) => {
    const page = await arrive({ expects: [/403/] })
    await page.goto('/sponsor/success')
    await seeAlert(page, 'Missing verification information. Please contact us if you completed payment.')
    await page.goto('/sponsor/success?session_id=cs_test_unknown&nonce=guessed')
    await seeAlert(page, /^This link is invalid or expired/)
    expect(await page.getByRole('link', { name: 'Contact us', exact: true }).getAttribute('href')).toBe(
      '/contact?subject=Sponsorship+Payment+Verification',
    )
  })
})
