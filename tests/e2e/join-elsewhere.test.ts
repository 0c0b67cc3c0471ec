import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { test } from './steps/journey.ts'
import { GOOD_CARD, payWith, register, typeCode, verificationCode, verificationLink } from './steps/joining.ts'
import { seeHeading, seeText } from './steps/expectations.ts'
import { newPerson, SAMPLE_PASSWORD } from './steps/people.ts'
import { logIn, userMenu } from './steps/sessions.ts'

describe.concurrent('joining in two tabs', () => {
  test('a registration in one tab can be verified and paid in another', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const first = await arrive()
    await register(first, ana)
    const second = await first.context().newPage()
    await second.goto(await verificationLink(mailbox, ana))
    await payWith(second, GOOD_CARD)
    await seeHeading(second, 'Payment Successful!')

    await typeCode(first, await verificationCode(mailbox, ana))
    await seeHeading(first, 'Email Already Verified!')
    await seeText(first, 'Your membership is active. Log in to see it.')
    await userMenu(first).waitFor()
  })

  test('paying in both tabs makes one membership', { tags: ['core'] }, async ({ arrive, mailbox, order }) => {
    const ana = newPerson()
    const first = await arrive()
    await register(first, ana)
    const link = await verificationLink(mailbox, ana)
    const second = await first.context().newPage()
    await first.goto(link)
    await first.getByLabel('Card number').waitFor()
    await second.goto(link)
    await second.getByLabel('Card number').waitFor()
    expect(second.url()).toBe(first.url())

    await payWith(second, GOOD_CARD)
    await seeHeading(second, 'Payment Successful!')
    await payWith(first, GOOD_CARD)
    await seeHeading(first, 'Already paid')
    await first.getByRole('link', { name: 'Return to site' }).click()
    await seeHeading(first, 'Payment Successful!')

    await order({ flushWebhooks: true })
    // Each email comes by itself.
    await mailbox.waitForEmail(ana.email, /^Welcome/)
    await mailbox.waitForEmail(ana.email, /^Receipt/)
    const emails = await mailbox.emailsTo(ana.email)
    expect(emails.filter(({ subject }) => subject.startsWith('Receipt'))).toHaveLength(1)
    expect(emails.filter(({ subject }) => subject.startsWith('Your second payment'))).toHaveLength(0)
  })

  test('choosing another level expires the earlier checkout', async ({ arrive }) => {
    const first = await arrive()
    await logIn(
      first,
      { identifier: 'lapsed@example.org', password: SAMPLE_PASSWORD },
      '/auth/login?next=%2Fbecome-a-member',
    )
    const second = await first.context().newPage()
    await first.getByRole('button', { name: 'Select annual member' }).click()
    await first.getByLabel('Card number').waitFor()
    await second.goto('/become-a-member')
    await second.getByRole('button', { name: 'Select associate member' }).click()
    await second.getByLabel('Card number').waitFor()

    await payWith(first, GOOD_CARD)
    await seeHeading(first, 'This checkout has expired')
    await first.getByRole('link', { name: 'Return to site' }).click()
    await seeHeading(first, 'Payment Cancelled')
    await seeText(first, 'Nothing was charged, and your membership is as it was.')
  })
})

describe.concurrent('joining on two devices', () => {
  test('a link opened elsewhere verifies, and pays only with the password', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const home = await arrive()
    await register(home, ana)

    const elsewhere = await arrive({ expects: [/status of 400 .*\/api\/auth\/verify-email/] })
    await elsewhere.clock.install()
    await elsewhere.goto(await verificationLink(mailbox, ana))
    await seeHeading(elsewhere, 'Email Verified Successfully!')
    const goOn = elsewhere.getByRole('button', { name: 'Continue to payment' })
    await goOn.waitFor()
    await elsewhere.clock.fastForward(60_000)
    expect(new URL(elsewhere.url()).pathname).toBe('/email-verification')
    await elsewhere.clock.resume()

    const password = elsewhere.getByLabel('Password', { exact: true })
    await password.fill('something else')
    await goOn.click()
    await elsewhere.locator('p', { hasText: /^Password is incorrect$/ }).waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    expect(await password.inputValue()).toBe('something else')
    await password.fill(ana.password)
    await goOn.click()
    await payWith(elsewhere, GOOD_CARD)
    await seeHeading(elsewhere, 'Payment Successful!')
    await userMenu(elsewhere).waitFor()

    await typeCode(home, await verificationCode(mailbox, ana))
    await seeHeading(home, 'Email Already Verified!')
    await home.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await seeHeading(home, 'Log in')
  })

  test('the code in the email continues on any device', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const home = await arrive()
    await register(home, ana, 'associate member')
    const code = await verificationCode(mailbox, ana)

    const phone = await arrive({
      viewport: { width: 360, height: 740 },
      expects: [/status of 400 .*\/api\/auth\/verify-email/],
    })
    await phone.goto(`/email-verification?${new URLSearchParams({ email: ana.email })}`)
    await seeHeading(phone, 'Check your email')
    await typeCode(phone, code === '000 000' ? '000 001' : '000 000')
    await phone.locator('p', { hasText: /^This code is not right or has expired\.$/ }).waitFor()
    await typeCode(phone, code)
    await seeHeading(phone, 'Email Verified Successfully!')
    await payWith(phone, GOOD_CARD)
    await seeHeading(phone, 'Payment Successful!')
    await seeText(phone, /^Associate Member: renews on/)
  })
})

describe.concurrent('joining with detours', () => {
  test('an unknown link offers a new email', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [/status of 410 .*\/api\/auth\/verify-email/] })
    await register(page, ana)
    const link = new URL(await verificationLink(mailbox, ana))
    link.searchParams.set('token', 'not-the-token-of-any-email')

    await page.goto(link.href)
    await seeHeading(page, 'Link Expired')
    await seeText(page, 'This verification link has expired. Please request a new one.')
    await page.getByRole('main').getByRole('link', { name: 'Start New Registration' }).waitFor()
    await page.getByRole('button', { name: 'Resend verification email' }).click()
    await seeText(page, 'Verification link resent successfully!')
    await page.goto(await verificationLink(mailbox, ana, 2))
    await seeHeading(page, 'Email Verified Successfully!')
  })

  test('a person who paid and never returned is a member', async ({ arrive, mailbox, order }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [/ERR_CONNECTION_RESET/] })
    await register(page, ana)
    await page.goto(await verificationLink(mailbox, ana))
    await page.getByLabel('Card number').waitFor()
    // The payment arrives, but the response, and with it the redirect, does not.
    await page.route('**/checkout/**', async (route) => {
      await route.fetch({ maxRedirects: 0 })
      await route.abort('connectionreset')
    })
    await payWith(page, GOOD_CARD)
    await mailbox.waitForEmail(ana.email, /^Welcome/)
    await order({ flushWebhooks: true })

    const later = await arrive()
    await logIn(later, { identifier: ana.username, password: ana.password }, '/auth/login?next=%2Fauth%2Faccount')
    await seeText(later, 'Active')
  })

  test('the success page waits for a late payment', async ({ arrive, mailbox, site }) => {
    const ana = newPerson()
    const paying = await arrive()
    await register(paying, ana)
    await paying.goto(await verificationLink(mailbox, ana))
    await paying.getByLabel('Card number').waitFor()

    const waiting = await paying.context().newPage()
    await waiting.goto(await returnAddress(paying, site.standinsUrl))
    await seeText(waiting, /^Your payment is still being processed/)
    await payWith(paying, GOOD_CARD)
    await seeHeading(paying, 'Payment Successful!')
    await seeHeading(waiting, 'Payment Successful!')
  })
})

/** The return URL of the open hosted checkout. */
async function returnAddress(checkout: Page, standinsUrl: string): Promise<string> {
  const id = new URL(checkout.url()).pathname.split('/').at(-1) ?? ''
  const response = await fetch(`${standinsUrl}/v1/checkout/sessions/${id}`, {
    headers: { authorization: 'Bearer sk_test_standin' },
  })
  const { success_url: successUrl } = (await response.json()) as { success_url: string }
  return successUrl.replace('{CHECKOUT_SESSION_ID}', id)
}
