import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { seeHeading, seeText } from './steps/look.ts'
import { admin, enterConsoleByPasskey } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'
import { signOut, submitLogin } from './steps/sessions.ts'

/** A refusal of ours, which the browser notes in its console. */
const REFUSED = /40[39]/
const TEN_MINUTES_MS = 10 * 60_000

describe('passkeys of officers', () => {
  test('the first officer makes one, leaves, opens the console by it, and confirms by it what is sensitive', async ({
    arrive,
    mailbox,
    order,
    site,
  }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const password = /^ {2}(\S{16})$/m.exec(said)?.[1] ?? ''
    const page = await arrive({ expects: [REFUSED] })
    const device = await enterConsoleByPasskey(page, { identifier: email, password })
    expect((await mailbox.waitForLetter(email, /^A passkey was added/)).text).toContain('Journey phone')

    await page.goto('/auth/account')
    await signOut(page)
    await page.goto('/auth/login?next=/console')
    await submitLogin(page, { identifier: email, password })
    await seeHeading(page, 'Is it you?')
    // Somebody else holds the phone.
    await device.setOwnerThere(false)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await seeText(page, /^Nothing came from your device/)
    await device.setOwnerThere(true)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await seeHeading(page, 'Today')

    await page.goto('/console/officers')
    await page.getByRole('button', { name: 'Give a role' }).click()
    await page.getByLabel('Email of the member').fill('life@example.org')
    await page.getByLabel('Role', { exact: true }).selectOption('Editor')
    await page.getByLabel('First day').fill('2020-01-01')
    await page.getByLabel('Last day').fill('2099-12-31')
    await order({ advanceMs: TEN_MINUTES_MS })
    await page.getByRole('button', { name: 'Give the role' }).click()
    const question = page.getByRole('dialog', { name: 'Is it you?' })
    await question.getByRole('button', { name: 'Use your passkey' }).click()
    await question.waitFor({ state: 'detached' })
    // What was given is taken back: other journeys know this member without a role.
    await page.getByRole('button', { name: 'End the term of Arvind Nadkar as Editor' }).click()
    await page.getByRole('button', { name: 'End the term', exact: true }).click()
    await seeText(page, 'Arvind Nadkar is no longer editor.')

    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/console/access')
    await seeText(page, /^Added .*, last used /)
    await seeText(page, 'It is the only way in: add another, or an app, before you remove it.')
    await page.getByRole('button', { name: 'Rename Journey phone' }).click()
    await page.getByLabel('Name of the passkey').fill('My phone')
    await page.getByRole('button', { name: 'Save the name' }).click()
    await page.getByRole('button', { name: 'Rename My phone' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})
