import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { test } from './steps/journey.ts'
import { POLL_OPTIONS, seeHeading, seeText } from './steps/expectations.ts'
import { openConsoleAsPresident } from './steps/officers.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe('the year of the association', () => {
  test('rolls over: planned at a desk, continued on a phone, applied with one confirmation, and undone', async ({
    arrive,
    mailbox,
    site,
  }) => {
    const visitor = await arrive()
    await visitor.goto('/executive-committee')
    const before = await visitor.getByRole('heading', { level: 1 }).innerText()

    const desk = await arrive()
    await openConsoleAsPresident(desk, site)
    await desk.getByRole('link', { name: 'New term', exact: true }).click()
    await startNewPlan(desk)
    await seeHeading(desk, 'Terms')
    await next(desk, 'Executive Committee')
    expect(await desk.getByLabel('Who is President?').inputValue()).toBe('Dr. Tejas Amin')
    await desk.getByLabel('Who is President?').fill('Arvind Nad')
    await desk.getByRole('button', { name: /^Arvind Nadkar/ }).click()
    await desk.getByRole('button', { name: 'Dr. Farhan Qureshi stays Secretary' }).click()
    await desk.getByText('Saved.', { exact: true }).waitFor()

    // The tab is closed; another president continues on a phone.
    await desk.close()
    const phone = await arrive(PHONE)
    await openConsoleAsPresident(phone, site)
    await phone.goto('/console/roll-over?step=executive')
    await expect.poll(() => phone.getByLabel('Who is President?').inputValue(), POLL_OPTIONS).toBe('Arvind Nadkar')
    await next(phone, 'Boards and committees')
    await next(phone, 'Roles')
    await phone.getByText('Account: life@example.org').waitFor()
    for (const role of ['Secretary', 'Treasurer', 'Membership officer', 'Editor', 'Viewer']) {
      const out = phone.getByRole('button', { name: `Remove role ${role}` })
      if ((await out.count()) > 0) await out.first().click()
    }
    // Both presidents of this journey stay.
    for (const own of await phone.getByRole('checkbox', { name: /^Lakshmi Iyer/ }).all()) await own.uncheck()
    await next(phone, 'Past presidents')
    expect(await phone.getByLabel('Name', { exact: true }).inputValue()).toBe('Dr. Meera Raghuvanshi')
    await next(phone, 'Labels')
    await phone.getByRole('checkbox', { name: /^Executive Committee, Heading/ }).waitFor()
    await next(phone, 'Overview')
    await phone.locator('summary', { hasText: 'Past presidents' }).waitFor()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await phone.getByRole('button', { name: 'Start now' }).click()
    await phone.getByRole('button', { name: 'Start term' }).click()
    await seeText(phone, /^The 20\d\d-\d\d term has started/)
    await mailbox.waitForEmail('life@example.org', /^You are president/)
    await seeCommittee(visitor, async (heading) => heading !== before, 'Arvind Nadkar')

    await phone.getByRole('button', { name: 'Undo', exact: true }).click()
    await phone.getByRole('button', { name: 'Undo', exact: true }).click()
    await seeHeading(phone, /^Next term/)
    await seeCommittee(visitor, async (heading) => heading === before, 'Dr. Meera Raghuvanshi')
  })
})

/** Discards the plan of an earlier run, and starts a new one. */
async function startNewPlan(page: Page): Promise<void> {
  const begin = page.getByRole('button', { name: /^Set up the/ })
  const leftover = page.getByRole('button', { name: 'Discard plan' })
  await begin.or(leftover).waitFor()
  if (await leftover.isVisible()) {
    await leftover.click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
  }
  await begin.click()
}

async function next(page: Page, step: string): Promise<void> {
  await page.getByRole('link', { name: `Next: ${step}` }).click()
  await page.locator('[aria-current=step]', { hasText: step }).waitFor()
}

/** The page updates within a second. */
async function seeCommittee(page: Page, isRight: (heading: string) => Promise<boolean>, name: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto('/executive-committee')
      return isRight(await page.getByRole('heading', { level: 1 }).innerText())
    }, POLL_OPTIONS)
    .toBe(true)
  await seeText(page, name)
}
