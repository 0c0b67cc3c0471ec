import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { seeText } from './steps/look.ts'
import { admin, enterConsole } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('lists of members', () => {
  test('an officer imports a list of which one row is wrong, gets that row back, and makes two accounts of one person one', async ({
    arrive,
    site,
  }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const officer = await arrive(PHONE)
    await enterConsole(officer, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })

    const [first, second] = [newPerson(), newPerson()]
    const list = [
      'Email;First name;Last name;Level;Since;Expires',
      `${first.email};Zarina;Quadri;Annual Member;1/15/2026;1/15/2031`,
      `${second.email};Zarina;Quadri;Annual Member;1/15/2026;1/15/2032`,
      'no address;Zubin;Quadri;Annual Member;1/15/2026;1/15/2032',
    ].join('\r\n')
    await officer.goto('/console/members')
    await officer.getByRole('link', { name: 'Import a list' }).click()
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list, 'latin1') }
    await officer.getByLabel('List of members, as CSV').setInputFiles(file)
    await officer.getByRole('button', { name: 'Look at the file' }).click()
    await seeText(officer, 'Line 4')
    expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await officer.getByRole('button', { name: 'Import 2 rows' }).click()
    await officer.getByRole('button', { name: 'Import', exact: true }).click()
    await seeText(officer, /2 rows imported/)
    const saving = officer.waitForEvent('download')
    await officer.getByRole('button', { name: 'Save them as CSV' }).click()
    expect(await readFile(await (await saving).path(), 'utf8')).toContain('no address')

    await officer.goto(`/console/members?q=${encodeURIComponent(first.email)}`)
    await officer.getByRole('link', { name: /Quadri/ }).click()
    await officer.getByRole('link', { name: 'Merge with another account' }).click()
    await officer.getByRole('button', { name: `Compare with Zarina Quadri, ${second.email}` }).click()
    await seeText(officer, '1 membership')
    expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await officer.getByRole('button', { name: 'Merge the two accounts' }).click()
    await officer.getByLabel('Reason, for the history').fill('Joined twice')
    await officer.getByRole('button', { name: 'Merge them' }).click()
    await seeText(officer, 'January 15, 2032')
    await officer.getByRole('button', { name: `Undo the merge with ${second.email}` }).click()
    await officer.getByLabel('Reason, for the history').fill('Mother and daughter')
    await officer.getByRole('button', { name: 'Undo the merge' }).click()
    await seeText(officer, /undone/)
    await seeText(officer, 'January 15, 2031')
  })
})
