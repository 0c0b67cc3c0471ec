import { describe, expect } from 'vitest'
import { linkIn } from '#tests/support/emails/mailbox.ts'
import { test } from './steps/journey.ts'
import { DECLINED_CARD, GOOD_CARD, joinAs, payWith, register, verificationLink } from './steps/joining.ts'
import { seeAlert, seeHeading, expectEmptyStorage, seeText, storedSession } from './steps/expectations.ts'
import { newPerson } from './steps/people.ts'
import { logIn, logOut } from './steps/sessions.ts'

const AUTO_START_MS = 1_200

describe.concurrent('joining in one browser', () => {
  test(
    'a physician pays for a year, logs out, logs in and sees the membership',
    { tags: ['core'] },
    async ({ arrive, mailbox, order }) => {
      const ana = newPerson()
      const page = await arrive()
      await register(page, ana)
      expect(new URL(page.url()).searchParams.get('email')).toBe(ana.email)
      const kept = JSON.parse((await storedSession(page)).tempUser ?? 'null')
      expect(kept).toMatchObject({ email: ana.email, name: { first: 'Ana' } })

      await page.goto(await verificationLink(mailbox, ana))
      await seeHeading(page, 'Email Verified Successfully!')
      const verifiedAt = Date.now()
      expect(page.url()).not.toContain('token=')
      expect((await storedSession(page)).tempUser).toBeNull()

      await page.getByLabel('Card number').waitFor()
      expect(Date.now() - verifiedAt).toBeGreaterThan(AUTO_START_MS / 2)
      expect(await page.getByLabel('Email').inputValue()).toBe(ana.email)
      await payWith(page, GOOD_CARD)

      await seeHeading(page, 'Payment Successful!')
      await seeText(page, /^Annual Member: renews on/)
      expect(new URL(page.url()).search).toBe('')
      await page.reload()
      await seeHeading(page, 'Payment Successful!')

      await page.getByRole('link', { name: 'Go to your account' }).click()
      await seeText(page, 'Active')
      await seeText(page, '$100 a year')
      await seeText(page, 'Next billing date')

      await logOut(page)
      await expectEmptyStorage(page)
      await seeText(page, 'Authentication required. Please log in again.')
      await logIn(page, { identifier: ana.email, password: ana.password })
      expect(new URL(page.url()).pathname).toBe('/')
      await page.getByRole('button', { name: `Account menu for ${ana.username}` }).click()
      await page.getByRole('menuitem', { name: 'Account' }).click()
      await seeText(page, 'Active')
      await seeText(page, `Signed in as ${ana.username}`)

      await order({ flushWebhooks: true })
      await mailbox.waitForEmail(ana.email, /^Welcome/)
      await mailbox.waitForEmail(ana.email, /^Receipt/)
      const subjects = (await mailbox.emailsTo(ana.email)).map(({ subject }) => subject.split(' ')[0])
      expect(subjects.toSorted()).toEqual(['Please', 'Receipt', 'Welcome'])
    },
  )

  test('a lifetime member cannot choose another level', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive()
    await joinAs(page, { person: ana, mailbox, level: 'life member' })
    await seeText(page, 'Life Member: yours for life.')
    await page.getByRole('link', { name: 'Memberships' }).click()
    await seeHeading(page, `Welcome ${ana.username}!`)
    await page.getByRole('button', { name: 'Current Plan' }).waitFor()
    const others = page.getByRole('button', { name: 'Not Available' })
    expect(await others.count()).toBe(4)
    for (const other of await others.all()) expect(await other.isDisabled()).toBe(true)

    await page.goto('/auth/account')
    await seeText(page, 'Lifetime membership')
    await seeText(page, 'Never: life membership')
    expect(await page.getByText('Next billing date').count()).toBe(0)
  })

  test('a medical student joins without a card', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive()
    await joinAs(page, { person: ana, mailbox, level: 'medical student' })
    expect(page.url()).toMatch(/\/stripe\/success\?free=1$/)
    await seeText(page, /^Medical Student: active until /)
    await mailbox.waitForEmail(ana.email, /^Welcome/)

    await page.getByRole('link', { name: 'Memberships' }).click()
    await page.getByRole('button', { name: 'Current Plan' }).waitFor()
    expect(await page.getByRole('button', { name: 'Manage Subscription/Billing' }).count()).toBe(3)
    expect(await page.getByRole('button', { name: 'Switch to life member' }).count()).toBe(1)
    const emails = await mailbox.emailsTo(ana.email)
    expect(emails.filter(({ subject }) => subject.startsWith('Receipt'))).toEqual([])
  })

  test('the success page of a free level reveals nothing without an activation', async ({ arrive }) => {
    const page = await arrive()
    await page.goto('/stripe/success?free=1')
    await seeHeading(page, 'Membership Activated!')
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor()
  })

  test('a declined card stays on the page, and another one works', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive()
    await register(page, ana)
    await page.goto(await verificationLink(mailbox, ana))
    await payWith(page, DECLINED_CARD)
    await seeAlert(page, 'Your card was declined.')
    expect(await page.getByLabel('Email').inputValue()).toBe(ana.email)
    await payWith(page, GOOD_CARD)
    await seeHeading(page, 'Payment Successful!')
  })

  test('after canceling the payment a person can continue from the email', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive()
    await register(page, ana, 'resident fellow')
    const email = await mailbox.waitForEmail(ana.email, /verify/)
    await page.goto(linkIn(email))
    await page.getByRole('link', { name: 'Cancel' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await seeHeading(page, 'Payment Cancelled')
    expect(new URL(page.url()).pathname).toBe('/stripe/cancel')

    await page.getByRole('link', { name: 'Try Again' }).click()
    await page.waitForURL('**/become-a-member')
    await page.goto(linkIn(email))
    await seeHeading(page, 'Email Already Verified!')
    await payWith(page, GOOD_CARD)
    await seeHeading(page, 'Payment Successful!')
    await seeText(page, /^Resident or Fellow: renews on/)
  })
})
