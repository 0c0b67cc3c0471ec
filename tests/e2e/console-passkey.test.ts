import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { seeHeading, seeText } from './steps/expectations.ts'
import { admin, assignRole, openConsoleWithPasskey, openRemoval } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'
import { logOut, submitLogin } from './steps/sessions.ts'

/** An expected error response, which the browser logs to its console. */
const REFUSED = /40[39]/
const TEN_MINUTES_MS = 10 * 60_000

describe('passkeys of officers', () => {
  test(
    'the first officer creates one, logs out, opens the console with it, and uses it for sensitive actions',
    { tags: ['core'] },
    async ({ arrive, mailbox, order, site }) => {
      const { email, username } = newPerson()
      const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
      const password = /^ {2}(\S{16})$/m.exec(said)?.[1] ?? ''
      const page = await arrive({ expects: [REFUSED] })
      const device = await openConsoleWithPasskey(page, { identifier: email, password })
      expect((await mailbox.waitForEmail(email, /^A passkey was added/)).text).toContain('Journey phone')

      await page.goto('/auth/account')
      await logOut(page)
      await page.goto('/auth/login?next=/console')
      await submitLogin(page, { identifier: email, password })
      await seeHeading(page, 'Confirm it’s you')
      // Someone else has the phone.
      await device.setOwnerThere(false)
      await page.getByRole('button', { name: 'Use your passkey' }).click()
      await seeText(page, /^The request was canceled or timed out/)
      await device.setOwnerThere(true)
      await page.getByRole('button', { name: 'Use your passkey' }).click()
      await seeHeading(page, 'Home')

      await page.goto('/console/officers')
      await order({ advanceMs: TEN_MINUTES_MS })
      await assignRole(page, { member: 'Nadkar', role: 'Editor' })
      const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await question.getByRole('button', { name: 'Use your passkey' }).click()
      await question.waitFor({ state: 'detached' })
      // The role is revoked again: other journeys expect this member without a role.
      await openRemoval(page, 'Arvind Nadkar', 'Editor')
      await page.getByRole('button', { name: 'Remove role', exact: true }).click()
      await seeText(page, 'Arvind Nadkar is no longer editor.')

      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto('/console/access')
      await seeText(page, /^Added .*, last used /)
      await seeText(page, 'This is your only second factor. Add another passkey or an app before you remove it.')
      await page.getByRole('button', { name: 'Rename Journey phone' }).click()
      await page.getByLabel('Passkey name').fill('My phone')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Rename My phone' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    },
  )
})
