import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { linkIn } from '#tests/support/emails/mailbox.ts'
import { joinAs } from './steps/joining.ts'
import { test } from './steps/journey.ts'
import { seeAlert, seeHeading, expectEmptyStorage, seeText } from './steps/expectations.ts'
import { newPerson, SAMPLE_PASSWORD } from './steps/people.ts'
import { logIn, logOut, submitLogin, userMenu } from './steps/sessions.ts'

/** Longer than any session, however far other journeys moved the server's clock. */
const MONTH_MS = 30 * 86_400_000
const annual = { identifier: 'annual@example.org', password: SAMPLE_PASSWORD }

describe.concurrent('a forgotten password', () => {
  test(
    'is replaced through an email, and the old one stops working',
    { tags: ['core'] },
    async ({ arrive, mailbox }) => {
      const ana = newPerson()
      const credentials = { identifier: ana.email, password: ana.password }
      const elsewhere = await arrive({ expects: [/status of 401 .*\/api\/account\/profile/] })
      await joinAs(elsewhere, { person: ana, mailbox, level: 'medical student' })

      const page = await arrive({
        expects: [/status of 401 .*\/api\/auth\/login/, /status of 400 .*\/api\/email\/reset-password/],
      })
      await page.goto('/auth/login')
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await seeHeading(page, 'Reset your password')
      await page.getByLabel('Email').fill(ana.email)
      await page.getByRole('button', { name: 'Send Reset Link' }).click()
      await seeHeading(page, 'Check Your Email')
      const link = linkIn(await mailbox.waitForEmail(ana.email, /^Choose a new password/))

      await page.goto(link)
      await page.waitForURL((url) => !url.searchParams.has('token'))
      await chooseNewPassword(page, 'Lychee-and-4-Plums')
      await seeHeading(page, 'Password Reset Successfully!')
      await page.getByRole('link', { name: 'Continue to Login' }).click()
      await submitLogin(page, credentials)
      await seeAlert(page, 'Invalid email/username or password.')
      expect(await page.getByLabel('Email or username').inputValue()).toBe(ana.email)
      await submitLogin(page, { ...credentials, password: 'Lychee-and-4-Plums' })
      await userMenu(page).waitFor()
      await mailbox.waitForEmail(ana.email, /^Your password was changed/)

      await page.goto(link)
      await chooseNewPassword(page, 'Guava-and-5-Limes')
      await seeAlert(page, 'Invalid reset link. Please request a new password reset.')

      await elsewhere.goto('/auth/account')
      await seeAlert(elsewhere, 'Your session has expired. Please log in again.')
      await expectEmptyStorage(elsewhere)
    },
  )

  test('sends no email to an address without an account, and the page says the same', async ({ arrive, mailbox }) => {
    const page = await arrive()
    await page.goto('/reset-password')
    await page.getByLabel('Email').fill('no.account@example.org')
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await seeHeading(page, 'Check Your Email')
    expect(await mailbox.emailsTo('no.account@example.org')).toEqual([])
  })
})

describe.concurrent('a session', () => {
  test('ends with a reload and empty storage', async ({ arrive }) => {
    const page = await arrive()
    await logIn(page, annual)
    await page.evaluate(() => localStorage.setItem('tempUser', '{"email":"ana@example.org"}'))
    await logOut(page)
    await expectEmptyStorage(page)
  })

  test('ends in every tab', { tags: ['core'] }, async ({ arrive }) => {
    const first = await arrive()
    await logIn(first, annual)
    const second = await first.context().newPage()
    await second.goto('/')
    await userMenu(second).waitFor()
    await logOut(second)
    await userMenu(first).waitFor({ state: 'detached' })
    await first.getByRole('link', { name: 'Sign up' }).waitFor()
  })

  test('that has expired is cleared on the next visit', async ({ arrive }) => {
    const page = await arrive()
    await logIn(page, annual)
    await page.clock.setSystemTime(Date.now() + MONTH_MS)
    await page.reload()
    await expectEmptyStorage(page)
    await page.getByRole('link', { name: 'Sign up' }).waitFor()
  })

  test('that expires while a page is open is cleared within a minute', async ({ arrive }) => {
    const page = await arrive()
    await page.clock.install()
    await logIn(page, annual)
    await page.clock.fastForward(MONTH_MS)
    await page.getByRole('link', { name: 'Sign up' }).waitFor()
    await expectEmptyStorage(page)
  })

  test('that is invalid is cleared', async ({ arrive }) => {
    const page = await arrive()
    await page.goto('/email-verification')
    for (const token of ['nonsense', 'a.b.c', `a.${btoa('{"exp":"soon"}')}.c`, '']) {
      await page.evaluate((stored) => {
        localStorage.setItem('token', stored)
        localStorage.setItem('user', '{"username":')
        localStorage.setItem('tempUser', '[')
      }, token)
      await page.reload()
      await expectEmptyStorage(page)
      await page.getByLabel('Email').waitFor()
    }
  })

  test('survives an invalid stored user', async ({ arrive }) => {
    const page = await arrive()
    await logIn(page, annual)
    await page.evaluate(() => localStorage.setItem('user', '{"username":'))
    await page.reload()
    await page.getByRole('button', { name: 'Account menu', exact: true }).waitFor()
    await page.goto('/become-a-member')
    await seeHeading(page, 'Welcome meera.r!')
    await page.getByRole('button', { name: 'Account menu for meera.r' }).waitFor()
  })

  for (const [what, breakIt] of [
    ['blocked', () => Object.defineProperty(window, 'localStorage', { get: refuse })],
    ['full', () => Object.defineProperty(Storage.prototype, 'setItem', { value: refuse })],
  ] as const) {
    test(`works while the page is open when storage is ${what}`, async ({ arrive }) => {
      const page = await arrive()
      await page.addInitScript(`${refuse};(${breakIt})()`)
      await logIn(page, annual)
      await userMenu(page).click()
      await page.getByRole('menuitem', { name: 'Account' }).click()
      await seeText(page, 'Signed in as meera.r')
    })
  }

  test('begins on the requested page, on this site only', async ({ arrive, site }) => {
    const asked = await arrive()
    await asked.goto('/auth/account')
    await seeAlert(asked, 'Authentication required. Please log in again.')
    await asked.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await seeHeading(asked, 'Log in')
    await submitLogin(asked, annual)
    await seeText(asked, 'Signed in as meera.r')
    expect(asked.url()).toBe(`${site.url}/auth/account`)

    for (const hostile of [
      '//attacker.example/auth',
      'https://attacker.example',
      '/\\attacker.example',
      'javascript:1',
    ]) {
      await logIn(asked, annual, `/auth/login?${new URLSearchParams({ next: hostile })}`)
      expect(asked.url()).toBe(`${site.url}/`)
    }
  })
})

function refuse(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

async function chooseNewPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}
