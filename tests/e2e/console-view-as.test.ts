import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { seeHeading, seeText } from './steps/expectations.ts'
import { admin, openConsoleWithApp } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

describe('the site as a member sees it', () => {
  test('an officer opens it with a reason, reads, cannot change anything, and leaves', async ({ arrive, site }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const page = await arrive({
      viewport: { width: 360, height: 740 },
      expects: [/status of 409 .*\/api\/account\/devices/],
    })
    await openConsoleWithApp(page, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })

    await page.goto('/console/members?q=life%40example.org')
    await page.getByRole('link', { name: 'Nadkar' }).first().click()
    await page.getByRole('button', { name: /^More actions for/ }).click()
    await page.getByRole('menuitem', { name: 'View site as member' }).click()
    await page.getByLabel('Reason for the audit log').fill('Asked by telephone')
    await page.getByRole('button', { name: 'View site' }).click()

    await seeHeading(page, 'Account')
    const bar = page.getByRole('region', { name: 'Viewing the site as a member' })
    await bar.getByText('You are viewing the site as Arvind Nadkar. Nothing can be changed.').waitFor()
    await page.goto('/auth/account/security')
    await seeText(page, 'Only for the member')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await page.goto('/events')
    await bar.waitFor()

    // Called directly, as no page would do.
    const status = await page.evaluate(async () => {
      const authorization = `Bearer ${sessionStorage.getItem('viewToken') ?? ''}`
      const method = 'DELETE'
      return (await fetch('/api/account/devices', { method, headers: { authorization } })).status
    })
    expect(status).toBe(409)

    await bar.getByRole('button', { name: 'Leave' }).press('Enter')
    await seeHeading(page, 'Arvind Nadkar')
    expect(await bar.count()).toBe(0)
    await seeText(page, 'stopped viewing the site as')
  })
})
