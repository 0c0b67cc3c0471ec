import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import { POLL_OPTIONS, seeHeading, seeText } from '#tests/e2e/steps/expectations.ts'
import { joinAs } from '#tests/e2e/steps/joining.ts'
import { test } from '#tests/e2e/steps/journey.ts'
import { admin, assignRole, openConsoleAsPresident, openConsoleWithApp, siteTime } from '#tests/e2e/steps/officers.ts'
import { newPerson } from '#tests/e2e/steps/people.ts'
import { submitLogin } from '#tests/e2e/steps/sessions.ts'
import { BOUNCES_PATH } from '#server/features/newsletter/subscribers/bounces.service.ts'
import type { JourneySite } from '#tests/support/browser/journey-site.ts'
import { readPdf } from '#tests/support/files/pdf-text.ts'

const DAY_MS = 86_400_000
const TIME_ZONE = 'America/New_York'
/** From the end of November to February 6; its notice opens 60 days before. */
const DAYS_AHEAD = 70

describe('the secretary', () => {
  test('comes from the day of the annual meeting to the sealed proof that its notice was sent', async ({
    arrive,
    mailbox,
    order,
    site,
  }) => {
    const unique = String(Date.now())
    const secretary = newPerson({ firstName: 'Sulochana', lastName: `Desk${unique}` })
    const silent = newPerson({ firstName: 'Vasudha', lastName: `Silent${unique}` })
    const reached = newPerson({ firstName: 'Kumudini', lastName: `Reached${unique}` })
    for (const person of [secretary, silent, reached]) {
      const page = await arrive()
      await joinAs(page, { person, mailbox, level: person === secretary ? 'medical student' : 'annual member' })
      if (person === silent) await enterPostalAddress(page)
      await page.context().close()
    }
    const president = await arrive()
    await openConsoleAsPresident(president, site)
    await president.goto('/console/officers')
    await assignRole(president, { member: secretary.lastName, role: 'Secretary' })
    await president.getByRole('row', { name: new RegExp(secretary.lastName) }).waitFor()

    const desk = await arrive({ expects: [/409 \(Conflict\)/] })
    const credentials = { identifier: secretary.email, password: secretary.password }
    const codeAt = await openConsoleWithApp(desk, credentials)

    // The provider reports that one member marked an email as spam: from then on, notices reach her by post.
    await reportComplaint(site, silent.email)

    const meetingOn = addDays(dayOf(siteTime(), TIME_ZONE), DAYS_AHEAD)
    const opensOn = addDays(meetingOn, -60)
    const title = `Annual meeting ${unique}`
    await desk.goto('/console/member-emails?new=yes')
    await writeNotice(desk, { title, text: 'We meet at noon, in the great hall.' })
    await desk.getByLabel('Send to').selectOption('Active')
    await desk.getByLabel(/^Day of the meeting/).fill(meetingOn)
    await seeText(desk, `Send this notice from ${formatDay(opensOn)} to ${formatDay(addDays(meetingOn, -30))}`)
    await seeText(desk, 'All changes saved.')
    await expect.poll(async () => (await reachOn(desk)).byPost, POLL_OPTIONS).toBe(1)
    const reach = await reachOn(desk)
    expect(reach.parts.reduce((sum, part) => sum + part, 0)).toBe(reach.total)
    await sendNow(desk)
    await seeText(desk, /^This is outside the time for a notice/)

    // She logs in again on a day on which it may be sent.
    await order({ advanceMs: (DAYS_AHEAD - 59) * DAY_MS })
    const address = desk.url()
    await desk.evaluate(() => localStorage.clear())
    await desk.goto('/auth/login?next=/console')
    await submitLogin(desk, credentials)
    await desk.getByLabel('Authenticator code').fill(codeAt())
    await desk.getByLabel('Authenticator code').press('Enter')
    await seeHeading(desk, 'Home')

    const recordDay = addDays(dayOf(siteTime(), TIME_ZONE), -1)
    await desk.goto('/console/rolls')
    await desk.getByLabel('Name').fill(title)
    await desk.getByLabel('Record day').fill(recordDay)
    await desk.getByRole('button', { name: 'Freeze the roll' }).click()
    await desk.getByRole('link', { name: title }).click()
    const roll = await download(desk, 'List (CSV)')
    for (const { lastName } of [silent, reached]) expect(roll.toString('utf8')).toContain(lastName)

    await desk.goto(address)
    await seeHeading(desk, title)
    await sendNow(desk)
    const notice = await mailbox.waitForEmail(reached.email, new RegExp(`^${title}`))
    expect(notice.text).toContain('in the great hall')
    await seeText(desk, '1 letter to post.')
    const sent = await reachOn(desk)
    const letters = await readPdf(await download(desk, 'Letters (PDF)'))
    for (const part of [silent.lastName, '12 Azalea Way', 'in the great hall']) expect(letters.text).toContain(part)
    await desk.getByRole('button', { name: 'Mark as posted' }).click()
    await seeText(desk, '1 letter posted.')
    await desk.getByRole('button', { name: 'Seal the proof' }).click()
    const { text } = await readPdf(await download(desk, 'Proof (PDF)'))
    for (const part of ['Proof of sending', title, formatDay(meetingOn), `People on the list`, String(sent.total)])
      expect(text).toContain(part)
    expect(text).toMatch(/Posted\s*1/)
    const recipients = await download(desk, 'List of recipients (CSV)')
    expect(recipients.toString('utf8').trim().split('\r\n')).toHaveLength(sent.total + 1)
    expect(text).toContain(createHash('sha256').update(recipients).digest('hex').slice(0, 40))
  })
})

/** In the account of a member who just joined: for officers, as every new value. */
async function enterPostalAddress(page: Page): Promise<void> {
  await page.goto('/auth/account/profile')
  await page.getByRole('button', { name: 'Edit details' }).click()
  const home = page.getByRole('group', { name: /^Postal address/ })
  await home.getByLabel('Street').fill('12 Azalea Way')
  await home.getByLabel('City').fill('Macon')
  await home.getByLabel('State or region').fill('GA')
  await home.getByLabel('Postal code').fill('31201')
  await page.getByLabel('Who sees it: Postal address').selectOption('Officers')
  await page.getByRole('button', { name: 'Save details' }).click()
  await seeText(page, 'Your details were saved.')
}

/** As the email provider does it. */
async function reportComplaint(site: JourneySite, email: string): Promise<void> {
  const authorization = /^Header +Authorization: (.+)$/m.exec(await admin(site, 'newsletter', 'webhook'))?.[1] ?? ''
  const response = await fetch(`${site.url}${BOUNCES_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ events: [{ type: 'complaint', email }] }),
  })
  expect(response.status).toBe(200)
}

/** In the dialog of a new email; ends on its page. */
async function writeNotice(desk: Page, { title, text }: { title: string; text: string }): Promise<void> {
  await desk.getByRole('textbox', { name: 'Title' }).fill(title)
  await desk.getByRole('button', { name: 'Create', exact: true }).click()
  await seeHeading(desk, title)
  await desk.getByLabel('Text', { exact: true }).fill(text)
  await desk.getByLabel('Preview text').fill('Please read it.')
  await seeText(desk, 'All changes saved.')
}

async function sendNow(desk: Page): Promise<void> {
  await desk.getByRole('button', { name: 'Send now', exact: true }).click()
  await desk.getByRole('button', { name: 'Send', exact: true }).click()
}

/** The numbers of "Who gets it". */
async function reachOn(desk: Page) {
  const rows = await desk.locator('dl.arithmetic').evaluate((list) =>
    [...list.querySelectorAll('dt')].map((term) => ({
      label: term.textContent ?? '',
      count: Number(term.nextElementSibling?.textContent?.replace(',', '')),
    })),
  )
  const countOf = (label: string) => rows.find((row) => row.label.startsWith(label))?.count ?? 0
  return {
    byPost: countOf('By post'),
    total: countOf('On the list'),
    parts: rows.slice(0, -1).map(({ count }) => count),
  }
}

async function download(desk: Page, name: string): Promise<Buffer> {
  const arriving = desk.waitForEvent('download')
  await desk.getByRole('button', { name, exact: true }).click()
  return readFile(await (await arriving).path())
}
