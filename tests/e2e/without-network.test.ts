import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { test } from './steps/journey.ts'
import {
  chooseLevel,
  fillRegistration,
  register,
  submitRegistration,
  typeCode,
  verificationCode,
} from './steps/joining.ts'
import { seeAlert, seeHeading } from './steps/expectations.ts'
import { newPerson, SAMPLE_PASSWORD } from './steps/people.ts'
import { logIn, submitLogin, userMenu } from './steps/sessions.ts'

const OFFLINE = /ERR_INTERNET_DISCONNECTED/

describe.concurrent('without a network', () => {
  test('a registration shows an error, keeps its input and is sent later', { tags: ['core'] }, async ({ arrive }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [OFFLINE] })
    await chooseLevel(page)
    await fillRegistration(page, ana)
    const sentences = [
      ['the site', 'Unable to connect to the server. Please check your internet connection and try again.'],
      ['everything', 'Security verification failed. Please refresh the page and try again.'],
    ] as const
    for (const [lost, sentence] of sentences) {
      const comeBack = await lose(page, lost)
      await submitRegistration(page)
      await seeAlert(page, sentence)
      await comeBack()
    }
    expect(await page.getByLabel('Email').inputValue()).toBe(ana.email)
    expect(await page.getByLabel('Username').inputValue()).toBe(ana.username)
    expect(await page.getByLabel('First name').inputValue()).toBe(ana.firstName)
    expect(await page.getByLabel('Last name').inputValue()).toBe(ana.lastName)
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(ana.password)
    expect(await page.getByLabel('Confirm password').inputValue()).toBe(ana.password)
    expect(await page.getByRole('checkbox').isChecked()).toBe(true)
    await submitRegistration(page)
    await seeHeading(page, 'Check your email')
  })

  test('a code, another email and the checkout show an error and work later', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [OFFLINE] })
    await register(page, ana)
    const code = await verificationCode(mailbox, ana)
    let comeBack = await lose(page, 'the site')
    await page.getByRole('button', { name: 'Resend verification email' }).click()
    await seeAlert(page, 'Network error. Please try again.')
    await typeCode(page, code)
    await page.getByRole('alert').filter({ hasText: 'Network error. Please try again.' }).nth(1).waitFor()
    expect(await page.getByLabel('Verification code').inputValue()).toBe(code)
    await comeBack()

    await page.getByRole('button', { name: 'Verify email' }).click()
    await page.getByRole('link', { name: 'Stay here' }).click()
    comeBack = await lose(page, 'the site')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await seeAlert(page, 'Network error. Please try again.')
    await comeBack()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByLabel('Card number').waitFor()
  })

  test('a log-in and a forgotten password show an error and work later', async ({ arrive }) => {
    const page = await arrive({ expects: [OFFLINE] })
    await page.goto('/reset-password')
    await page.getByLabel('Email').fill('student@example.org')
    let comeBack = await lose(page, 'the site')
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await seeAlert(page, 'Failed to send reset email. Please try again.')
    expect(await page.getByLabel('Email').inputValue()).toBe('student@example.org')
    await comeBack()
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await seeHeading(page, 'Check Your Email')

    await page.getByRole('link', { name: 'Back to Login' }).click()
    comeBack = await lose(page, 'the site')
    await submitLogin(page, { identifier: 'student@example.org', password: SAMPLE_PASSWORD })
    await seeAlert(page, 'Unable to connect to the server. Please check your internet connection.')
    await comeBack()
    comeBack = await lose(page, 'everything')
    await page.getByRole('button', { name: 'Log in' }).click()
    await seeAlert(page, 'reCAPTCHA verification failed. Please try again.')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(SAMPLE_PASSWORD)
    await comeBack()
    await page.getByRole('button', { name: 'Log in' }).click()
    await userMenu(page).waitFor()
  })

  test('the account and the plans show an error and can be reloaded', async ({ arrive }) => {
    const page = await arrive({ expects: [OFFLINE] })
    await logIn(page, { identifier: 'student@example.org', password: SAMPLE_PASSWORD })
    let comeBack = await lose(page, 'the site')
    await userMenu(page).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await seeAlert(page, 'Unable to connect to the server. Please check your internet connection.')
    await comeBack()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('main').getByText('Medical Student').first().waitFor()

    const visitor = await arrive({ expects: [OFFLINE] })
    comeBack = await lose(visitor, 'the site')
    await visitor.goto('/become-a-member')
    await seeAlert(visitor, 'Failed to load membership levels')
    expect(await visitor.getByRole('button', { name: /^Select / }).count()).toBe(0)
    await comeBack()
    await visitor.getByRole('button', { name: 'Try again' }).click()
    await visitor.getByRole('button', { name: 'Select annual member' }).waitFor()
  })
})

/** 'the site': its API calls fail, its pages load. Returns a function that restores the network. */
async function lose(page: Page, what: 'the site' | 'everything'): Promise<() => Promise<void>> {
  const context = page.context()
  if (what === 'everything') {
    await context.setOffline(true)
    return () => context.setOffline(false)
  }
  await context.route('**/api/**', (route) => route.abort('internetdisconnected'))
  return () => context.unrouteAll()
}
