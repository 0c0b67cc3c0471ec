import type { Page } from 'playwright-core'
import { codeIn, linkIn, type Mailbox } from '#tests/support/emails/mailbox.ts'
import { seeHeading } from './expectations.ts'
import type { Person } from './people.ts'

export const GOOD_CARD = '4242 4242 4242 4242'
export const DECLINED_CARD = '4000 0000 0000 0002'
const VERIFICATION = /^Please verify your email address/

/** `level` is the text of its button: 'annual member'. Ends on the form. */
export async function chooseLevel(page: Page, level = 'annual member'): Promise<void> {
  await page.goto('/become-a-member')
  await page.getByRole('button', { name: `Select ${level}` }).click()
  await seeHeading(page, 'Your details')
}

export async function fillRegistration(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill(person.lastName)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password').fill(person.password)
  await page.getByRole('checkbox', { name: /^I agree/ }).check()
}

export async function submitRegistration(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Ends on 'Check your email'. */
export async function register(page: Page, person: Person, level?: string): Promise<void> {
  await chooseLevel(page, level)
  await fillRegistration(page, person)
  await submitRegistration(page)
  await seeHeading(page, 'Check your email')
}

/** `number` 2 is the second email. */
export async function verificationLink(mailbox: Mailbox, { email }: Person, number = 1): Promise<string> {
  return linkIn(await mailbox.waitForEmail(email, VERIFICATION, number))
}

export async function verificationCode(mailbox: Mailbox, { email }: Person, number = 1): Promise<string> {
  return codeIn(await mailbox.waitForEmail(email, VERIFICATION, number))
}

/** On the page 'Check your email'. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify email' }).click()
}

/** On the hosted checkout. */
export async function payWith(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card)
  await page.getByRole('button', { name: /^Pay/ }).click()
}

/** The complete flow in one browser; ends on the page after the payment, or after the activation of a free level. */
export async function joinAs(page: Page, { person, mailbox, level }: Joining): Promise<void> {
  await register(page, person, level)
  await page.goto(await verificationLink(mailbox, person))
  if (level === 'medical student') return seeHeading(page, 'Membership Activated!')
  await payWith(page, GOOD_CARD)
  await seeHeading(page, 'Payment Successful!')
}

interface Joining {
  person: Person
  mailbox: Mailbox
  level?: string
}
