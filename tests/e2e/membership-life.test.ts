import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { GOOD_CARD, joinAs, payWith, register, verificationLink } from './steps/joining.ts'
import { seeHeading, seeText } from './steps/expectations.ts'
import { newPerson } from './steps/people.ts'
import { logIn } from './steps/sessions.ts'

const DAY_MS = 86_400_000
const FAILS_AT_RENEWAL = '4000 0000 0000 0341'

// Sequential, since the clock moves for all of them.
describe('a membership over the years', () => {
  test(
    'from yearly to lifetime: the displayed price is charged, and the yearly membership ends',
    { tags: ['core'] },
    async ({ arrive, mailbox }) => {
      const ana = newPerson()
      const page = await arrive()
      await joinAs(page, { person: ana, mailbox })
      await page.getByRole('link', { name: 'Memberships' }).click()
      await seeText(page, /^Today: \$900\.\d\d \(after a \$99\.\d\d credit for the rest of your current membership\)/)
      const told = await page.getByText(/^Today: \$900/).textContent()
      await page.getByRole('button', { name: 'Switch to life member' }).click()
      await payWith(page, GOOD_CARD)
      await seeHeading(page, 'Payment Successful!')
      await page.goto('/auth/account')
      await seeText(page, 'Lifetime membership')
      const paid = await page.getByText(/^\$900\.\d\d$/).textContent()
      expect(told).toContain(paid)
      const { text } = await mailbox.waitForEmail(ana.email, /^Receipt/, 2)
      expect(text).toContain('Credit for the membership it replaces')
    },
  )

  test('canceling the renewal keeps the membership until its last day, and resuming reverses it', async ({
    arrive,
    mailbox,
  }) => {
    const ana = newPerson()
    const page = await arrive()
    await joinAs(page, { person: ana, mailbox })
    await page.goto('/auth/account')
    await page.getByRole('button', { name: 'Manage billing' }).click()
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Resume subscription' }).waitFor()
    await page.getByRole('link', { name: 'Return to site' }).click()
    await mailbox.waitForEmail(ana.email, /^Your membership will not renew/)
    await page.reload()
    await seeText(page, 'It will not renew. You can resume it until its last day.')
    await seeText(page, 'Active until')
    await page.getByRole('button', { name: 'Manage billing' }).click()
    await page.getByRole('button', { name: 'Resume subscription' }).click()
    await page.getByRole('link', { name: 'Return to site' }).click()
    await mailbox.waitForEmail(ana.email, /^Your membership renews again/)
    await page.reload()
    await seeText(page, 'Next billing date')
  })

  test(
    'a failed renewal is emailed, keeps the rights, and a new card fixes it',
    { tags: ['core'] },
    async ({ arrive, mailbox, order }) => {
      const ana = newPerson()
      const page = await arrive()
      await register(page, ana)
      await page.goto(await verificationLink(mailbox, ana))
      await payWith(page, FAILS_AT_RENEWAL)
      await seeHeading(page, 'Payment Successful!')
      // The open page must not ask with a token that has expired.
      await page.evaluate(() => localStorage.clear())
      await page.goto('about:blank')
      await order({ advanceMs: 366 * DAY_MS })
      const email = await mailbox.waitForEmail(ana.email, /^Your card could not be charged \$100/)
      expect(email.text).toContain('/auth/account')
      await page.goto('/auth/login')
      await logIn(page, { identifier: ana.email, password: ana.password })
      await page.goto('/auth/account')
      await seeText(page, 'Past due')
      await seeText(page, /We will try your card again on/)
      await page.getByRole('button', { name: 'Update card' }).click()
      await page.getByLabel('Card number').fill(GOOD_CARD)
      await page.getByRole('button', { name: 'Update card' }).click()
      await seeText(page, 'Your card was updated and what was due has been paid.')
      await page.getByRole('link', { name: 'Return to site' }).click()
      await mailbox.waitForEmail(ana.email, /^Your renewal is paid/)
      await page.reload()
      await seeText(page, 'Active')
      await seeText(page, 'Annual Member, renewal')
    },
  )
})
