import type { Page } from 'playwright-core'
import type { Person } from './people.ts'

type Credentials = Pick<Person, 'password'> & { identifier: string }

/** On the log-in page. */
export async function submitLogin(page: Page, { identifier, password }: Credentials): Promise<void> {
  await page.getByLabel('Email or username').fill(identifier)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Ends on the page after log-in, with the user menu in the header. */
export async function logIn(page: Page, credentials: Credentials, address = '/auth/login'): Promise<void> {
  await page.goto(address)
  await submitLogin(page, credentials)
  await page.waitForURL(({ pathname }) => pathname !== '/auth/login')
  await userMenu(page).waitFor()
}

/** Ends on the reloaded page. */
export async function logOut(page: Page): Promise<void> {
  await userMenu(page).click()
  await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name: 'Sign out' }).click()])
  await page.getByRole('link', { name: 'Log in', exact: true }).first().waitFor()
}

export function userMenu(page: Page) {
  return page.getByRole('button', { name: /^Account menu for / })
}
