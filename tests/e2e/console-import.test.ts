import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { seeText } from './steps/expectations.ts'
import { admin, openConsoleWithApp } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('lists of members', () => {
  test('an officer imports a list with an earlier level and a row that is wrong, gets that row back, and makes two accounts of one person one', async ({
    arrive,
    site,
  }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const officer = await arrive(PHONE)
    await openConsoleWithApp(officer, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })

    const [first, second] = [newPerson(), newPerson()]
    const list = [
      'Email;First name;Last name;Level;Since;Expires',
      `${first.email};Zarina;Quadri;Annual Member;1/15/2026;1/15/2031`,
      `${second.email};Zarina;Quadri;Patron;1/15/2026;1/15/2032`,
      'no address;Zubin;Quadri;Annual Member;1/15/2026;1/15/2032',
    ].join('\r\n')
    await officer.goto('/console/members')
    await officer.getByRole('link', { name: 'Import', exact: true }).click()
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list, 'latin1') }
    await officer.getByLabel('Members (CSV)').setInputFiles(file)
    await officer.getByRole('button', { name: 'Review', exact: true }).click()
    await seeText(officer, 'Line 4')
    await officer.getByRole('combobox', { name: 'Level of Patron' }).selectOption('Annual Member')
    await officer.getByRole('button', { name: 'Check the file again' }).click()
    await officer.getByRole('button', { name: 'Import 2 rows' }).waitFor()
    expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await officer.getByRole('button', { name: 'Import 2 rows' }).click()
    await officer.getByRole('button', { name: 'Import', exact: true }).click()
    await seeText(officer, /2 rows imported/)
    const saving = officer.waitForEvent('download')
    await officer.getByRole('button', { name: 'Export these rows' }).click()
    expect(await readFile(await (await saving).path(), 'utf8')).toContain('no address')

    await officer.goto(`/console/members?q=${encodeURIComponent(first.email)}`)
    await officer.getByRole('link', { name: /Quadri/ }).click()
    await officer.getByRole('button', { name: /^More actions for/ }).click()
    await officer.getByRole('menuitem', { name: 'Merge accounts' }).click()
    await officer.getByRole('button', { name: `Compare with Zarina Quadri, ${second.email}` }).click()
    await seeText(officer, '1 membership')
    expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await officer.getByRole('button', { name: 'Merge accounts', exact: true }).click()
    await officer.getByLabel('Reason for the audit log').fill('Joined twice')
    await officer.getByRole('button', { name: 'Merge', exact: true }).click()
    await seeText(officer, 'January 15, 2032')
    await officer.getByRole('link', { name: 'Profile and account' }).click()
    await officer.getByRole('button', { name: `Undo the merge with ${second.email}` }).click()
    await officer.getByLabel('Reason for the audit log').fill('Mother and daughter')
    await officer.getByRole('button', { name: 'Undo the merge' }).click()
    await seeText(officer, /undone/)
    await officer.getByRole('link', { name: 'Overview' }).click()
    await seeText(officer, 'January 15, 2031')
  })

  test('an officer takes an import back, and adds a list of newsletter readers with their consent', async ({
    arrive,
    site,
  }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const officer = await arrive(PHONE)
    await openConsoleWithApp(officer, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })
    const isNarrow = () => officer.evaluate(() => document.documentElement.scrollWidth <= 360)

    const member = newPerson()
    const list = `Email,First name,Last name,Level,Began on,Ends on\r\n${member.email},Kavítha,Sen-Ravi,Annual Member,1/15/2026,1/15/2031`
    await officer.goto('/console/member-imports')
    await officer
      .getByLabel('Members (CSV)')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list, 'utf8') })
    await officer.getByRole('button', { name: 'Review', exact: true }).click()
    await officer.getByRole('button', { name: 'Import 1 row' }).click()
    await officer.getByRole('button', { name: 'Import', exact: true }).click()
    await seeText(officer, /Removes 1 account that this import created/)
    const imported = officer.url()
    await officer.goto('/console/members?q=Sen-Ravi%2C+Kavitha')
    await officer.getByRole('link', { name: 'Sen-Ravi, Kavítha' }).waitFor()
    await officer.goto('/console/members?q=sen+ravy+kavita')
    await seeText(officer, /Did you mean/)

    await officer.goto(imported)
    await officer.getByRole('button', { name: 'Undo import, remove 1 account' }).click()
    await officer.getByRole('button', { name: 'Remove', exact: true }).click()
    await seeText(officer, /undid it on/)
    expect(await isNarrow()).toBe(true)

    const reader = newPerson()
    const readers = `email,consent date,source\n${reader.email},2024-03-02,Gala sign-up\nnot-an-address,,`
    await officer.goto('/console/subscribers')
    await officer.getByRole('button', { name: 'Import', exact: true }).click()
    await officer
      .getByLabel('Subscribers (CSV)')
      .setInputFiles({ name: 'gala.csv', mimeType: 'text/csv', buffer: Buffer.from(readers, 'utf8') })
    await officer.getByRole('button', { name: 'Review', exact: true }).click()
    await officer.getByRole('checkbox', { name: /These people agreed/ }).check()
    expect(await isNarrow()).toBe(true)
    await officer.getByRole('button', { name: /^Add 1 person/ }).click()
    await officer.getByLabel('Search addresses').fill(reader.email)
    await seeText(officer, /^March 2, 2024, imported/)
  })
})
