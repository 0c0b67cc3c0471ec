import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { seeHeading, seeText } from './steps/expectations.ts'
import { admin, assignRole, openConsoleWithApp } from './steps/officers.ts'
import { newPerson, SAMPLE_PASSWORD } from './steps/people.ts'

describe('the officers’ console', () => {
  test(
    'the first officer is created by command, sets up the app, and gives a member a role with the right permissions',
    { tags: ['core'] },
    async ({ arrive, site }) => {
      const { email, username } = newPerson()
      const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
      const password = /^ {2}(\S{16})$/m.exec(said)?.[1] ?? ''
      const page = await arrive()
      await openConsoleWithApp(page, { identifier: email, password })

      await page.getByRole('link', { name: 'Officers & roles', exact: true }).click()
      await seeHeading(page, 'Officers & roles')
      await assignRole(page, { member: 'Nadkar', role: 'Viewer' })
      await seeText(page, 'Arvind Nadkar')

      const phone = await arrive({ viewport: { width: 360, height: 740 } })
      await openConsoleWithApp(phone, { identifier: 'life@example.org', password: SAMPLE_PASSWORD })
      const nav = phone.getByRole('navigation', { name: 'Console' })
      expect(await nav.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

      await page.getByRole('link', { name: 'Audit log', exact: true }).click()
      await seeText(page, 'assigned Arvind Nadkar a role.')
    },
  )
})
