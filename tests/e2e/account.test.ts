import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import type { Dialog, Page } from 'playwright-core'
import { linkIn } from '#tests/support/emails/mailbox.ts'
import { joinAs } from './steps/joining.ts'
import { test } from './steps/journey.ts'
import { seeAlert, seeHeading, expectEmptyStorage, seeText } from './steps/expectations.ts'
import { newPerson } from './steps/people.ts'
import { logIn, submitLogin, userMenu } from './steps/sessions.ts'

const DELETED = 'Your account has been deactivated. Your membership ends at the close of the current billing period.'

/** Opens a page of the account by its name in the navigation, from the first one. */
async function openAccount(page: Page, name: string): Promise<void> {
  await page.goto('/auth/account')
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name }).click()
  await seeHeading(page, name)
}

describe.concurrent('a member’s account', () => {
  test('after a password change the other device is logged out, this one is not', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [/status of 400 .*\/api\/account\/password/] })
    await joinAs(page, { person: ana, mailbox, level: 'medical student' })
    const phone = await arrive({ expects: [/status of 401 .*\/api\/account\/profile/] })
    await logIn(phone, { identifier: ana.email, password: ana.password })

    await openAccount(page, 'Profile')
    await page.getByRole('button', { name: 'Edit profile' }).click()
    await page.getByLabel('First name').fill('Anagha')
    await page.getByLabel('Username').fill(`${ana.username}.new`)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await seeText(page, 'Profile updated successfully!')
    await seeText(page, 'Anagha Rao')
    await page.getByRole('button', { name: `Account menu for ${ana.username}.new` }).waitFor()
    await page.getByText('Profile updated successfully!').waitFor({ state: 'detached' })

    await openAccount(page, 'Security and devices')
    await changePassword(page, 'not the one', 'Lychee-and-4-Plums')
    await page.getByText('Current password is incorrect').first().waitFor()
    await changePassword(page, ana.password, 'Lychee-and-4-Plums')
    await seeText(page, 'Password changed successfully!')
    await mailbox.waitForEmail(ana.email, /^Your password was changed/)
    await openAccount(page, 'Profile')
    await seeText(page, 'Anagha Rao')

    await phone.goto('/auth/account')
    await seeAlert(phone, 'Your session has expired. Please log in again.')
    await phone.getByRole('link', { name: 'Log in', exact: true }).last().click()
    await submitLogin(phone, { identifier: `${ana.username}.new`, password: 'Lychee-and-4-Plums' })
    await seeHeading(phone, 'Hello, Anagha')
  })

  test('two tabs with different profiles: neither silently overwrites the other', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive({ expects: [/status of 409 .*\/api\/account\/profile/] })
    await joinAs(page, { person: ana, mailbox, level: 'medical student' })
    await openAccount(page, 'Profile')
    const other = await page.context().newPage()
    await openAccount(other, 'Profile')
    for (const [tab, name] of [
      [page, 'First'],
      [other, 'Second'],
    ] as const) {
      await tab.getByRole('button', { name: 'Edit profile' }).click()
      await tab.getByLabel('First name').fill(name)
    }
    await page.getByRole('button', { name: 'Save changes' }).click()
    await seeText(page, 'First Rao')
    await other.getByRole('button', { name: 'Save changes' }).click()
    await seeAlert(other, /changed elsewhere in the meantime/)
    await seeText(other, 'First Rao')
    await other.getByRole('button', { name: 'Save changes' }).click()
    await seeText(other, 'Second Rao')
  })

  test('a change of address is confirmed by email, and the old address is notified', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const moved = `moved.${ana.email}`
    const page = await arrive()
    await joinAs(page, { person: ana, mailbox, level: 'medical student' })
    await openAccount(page, 'Profile')
    await page.getByRole('button', { name: 'Change email address' }).click()
    await page.getByLabel('New email address').fill(moved)
    await page.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.getByRole('button', { name: 'Send confirmation' }).click()
    await seeText(page, /open the email we sent to the new address/)

    await page.goto(linkIn(await mailbox.waitForEmail(moved, /^Please confirm your new email address/)))
    await page.getByRole('button', { name: 'Use this address' }).click()
    await seeHeading(page, 'Your email address was changed')
    expect(page.url()).not.toContain('token=')
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Emails' }).click()
    await seeText(page, `Sent to ${moved}`)
    await mailbox.waitForEmail(ana.email, /^Your email address was changed/)
  })

  test('devices can be logged out, and personal data can be downloaded', async ({ arrive, mailbox }) => {
    const ana = newPerson()
    const page = await arrive()
    await joinAs(page, { person: ana, mailbox, level: 'medical student' })
    const phone = await arrive({ expects: [/status of 401 .*\/api\/account\/profile/] })
    await logIn(phone, { identifier: ana.email, password: ana.password })

    await openAccount(page, 'Security and devices')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await seeText(page, 'Every other device was signed out.')
    await phone.goto('/auth/account')
    await seeAlert(phone, 'Your session has expired. Please log in again.')

    await openAccount(page, 'Your data')
    const arriving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const file = await arriving
    expect(file.suggestedFilename()).toMatch(/^my-data-\d{4}-\d{2}-\d{2}\.json$/)
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ account: { email: ana.email } })
  })

  test('deletion asks for the password, confirms in a dialog, and allows registering again', async ({
    arrive,
    mailbox,
  }) => {
    const ana = newPerson()
    const page = await arrive({
      expects: [/status of 400 .*\/api\/account\)/, /status of 403 .*\/api\/auth\/login/],
    })
    await joinAs(page, { person: ana, mailbox })
    await openAccount(page, 'Your data')
    const said: string[] = []
    page.on('dialog', (dialog: Dialog) => {
      said.push(dialog.message())
      void dialog.accept()
    })
    await page.getByRole('button', { name: 'Delete account' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Password', { exact: true }).fill('not the one')
    await window.getByRole('button', { name: 'Delete account' }).click()
    await window.getByText('Password is incorrect').waitFor()
    await window.getByLabel('Password', { exact: true }).fill(ana.password)
    await window.getByRole('button', { name: 'Delete account' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/')
    expect(said).toEqual([DELETED])
    await expectEmptyStorage(page)
    expect(await userMenu(page).count()).toBe(0)
    await mailbox.waitForEmail(ana.email, /^Your account was deleted/)

    await page.goto('/auth/login')
    await submitLogin(page, { identifier: ana.email, password: ana.password })
    await seeAlert(page, 'Account is not active.')
    const back = await arrive()
    await joinAs(back, { person: ana, mailbox: emailsAfter(mailbox, 1), level: 'medical student' })
  })
})

async function changePassword(page: Page, current: string, fresh: string): Promise<void> {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password', { exact: true }).fill(fresh)
  await page.getByLabel('Confirm new password').fill(fresh)
  await page.getByRole('button', { name: 'Change password' }).click()
}

/** The mailbox of an address that already received `count` emails of each kind. */
function emailsAfter(mailbox: Parameters<typeof joinAs>[1]['mailbox'], count: number): typeof mailbox {
  return {
    ...mailbox,
    waitForEmail: (address, subject, number = 1) => mailbox.waitForEmail(address, subject, number + count),
  }
}
