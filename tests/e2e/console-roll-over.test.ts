import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { test } from './steps/journey.ts'
import { PATIENCE, seeHeading, seeText } from './steps/look.ts'
import { enterAsPresident } from './steps/officers.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('the year of the association', () => {
  test('is planned on a desk, gone on with on a phone, moved on by one confirmation, and put back', async ({
    arrive,
    mailbox,
    site,
  }) => {
    const visitor = await arrive()
    await visitor.goto('/executive-committee')
    const before = await visitor.getByRole('heading', { level: 1 }).innerText()

    const desk = await arrive()
    await enterAsPresident(desk, site)
    await desk.getByRole('link', { name: 'Roll-over' }).click()
    await beginAnew(desk)
    await seeHeading(desk, 'Which year ends, and which begins?')
    await next(desk, 'Executive Committee')
    expect(await desk.getByLabel('Who is President?').inputValue()).toBe('Dr. Tejas Aminpura')
    await desk.getByLabel('Who is President?').fill('Arvind Nad')
    await desk.getByRole('button', { name: /^Arvind Nadkar/ }).click()
    await desk.getByRole('button', { name: 'Dr. Farhan Qureshi-Dale stays Secretary' }).click()
    await desk.getByText('Kept.', { exact: true }).waitFor()

    // The tab is closed; another president goes on, on a phone.
    await desk.close()
    const phone = await arrive(PHONE)
    await enterAsPresident(phone, site)
    await phone.goto('/console/roll-over?step=executive')
    await expect.poll(() => phone.getByLabel('Who is President?').inputValue(), PATIENCE).toBe('Arvind Nadkar')
    await next(phone, 'Boards and committees')
    await next(phone, 'Roles')
    await phone.getByText('Account: life@example.org').waitFor()
    for (const role of ['Secretary', 'Treasurer', 'Membership officer', 'Editor', 'Viewer']) {
      const out = phone.getByRole('button', { name: `Take the role ${role} out` })
      if ((await out.count()) > 0) await out.first().click()
    }
    // Both presidents of this story stay.
    for (const own of await phone.getByRole('checkbox', { name: /^Lakshmi Iyer/ }).all()) await own.uncheck()
    await next(phone, 'Past presidents')
    expect(await phone.getByLabel('Name', { exact: true }).inputValue()).toBe('Dr. Meera Raghuvanshi')
    await next(phone, 'Labels')
    await phone.getByRole('checkbox', { name: /^Executive Committee, Heading/ }).waitFor()
    await next(phone, 'Overview')
    await phone.locator('summary', { hasText: 'Past presidents' }).waitFor()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await phone.getByRole('button', { name: 'Do it now' }).click()
    await phone.getByRole('button', { name: 'Yes, move the year on' }).click()
    await seeText(phone, /^The year 20\d\d-\d\d has been begun/)
    await mailbox.waitForLetter('life@example.org', /^You are president/)
    await seeCommittee(visitor, async (heading) => heading !== before, 'Arvind Nadkar')

    await phone.getByRole('button', { name: 'Undo the whole' }).click()
    await phone.getByRole('button', { name: 'Yes, undo it' }).click()
    await seeHeading(phone, /^The next year/)
    await seeCommittee(visitor, async (heading) => heading === before, 'Dr. Meera Raghuvanshi')
  })
})

/** Whatever an earlier run has left. */
async function beginAnew(page: Page): Promise<void> {
  const begin = page.getByRole('button', { name: /^Plan the year/ })
  const leftover = page.getByRole('button', { name: 'Throw the plan away' })
  await begin.or(leftover).waitFor()
  if (await leftover.isVisible()) {
    await leftover.click()
    await page.getByRole('button', { name: 'Throw it away' }).click()
  }
  await begin.click()
}

async function next(page: Page, step: string): Promise<void> {
  await page.getByRole('link', { name: `Next: ${step}` }).click()
  await page.locator('[aria-current=step]', { hasText: step }).waitFor()
}

/** The page catches up within a second. */
async function seeCommittee(page: Page, isRight: (heading: string) => Promise<boolean>, name: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto('/executive-committee')
      return isRight(await page.getByRole('heading', { level: 1 }).innerText())
    }, PATIENCE)
    .toBe(true)
  await seeText(page, name)
}
