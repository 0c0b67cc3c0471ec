import { describe, expect } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { joinAs } from '#tests/e2e/steps/joining.ts'
import { test } from '#tests/e2e/steps/journey.ts'
import { POLL_OPTIONS, seeHeading, seeText } from '#tests/e2e/steps/expectations.ts'
import { openConsoleAsPresident, siteTime } from '#tests/e2e/steps/officers.ts'
import { newPerson } from '#tests/e2e/steps/people.ts'

describe('the notice of a meeting', () => {
  test('is written to chosen members, counted back from the day, sent, and sealed; one of them switches news off', async ({
    arrive,
    mailbox,
    site,
  }) => {
    const member = newPerson({ firstName: 'Kalpana', lastName: `Notice${Date.now()}` })
    const phone = await arrive({ viewport: { width: 390, height: 844 } })
    await joinAs(phone, { person: member, mailbox })

    const desk = await arrive({ expects: [/409 \(Conflict\)/] })
    await openConsoleAsPresident(desk, site)
    const title = `Annual meeting for ${member.lastName}`
    await desk.goto(`/console/members?q=${member.lastName}`)
    await desk.getByRole('checkbox', { name: new RegExp(`Select ${member.lastName}`) }).check()
    await desk.getByRole('button', { name: 'Email', exact: true }).click()
    await desk.getByRole('textbox', { name: 'Title' }).fill(title)
    await desk.getByRole('button', { name: 'Create', exact: true }).click()
    await seeHeading(desk, title)
    // The list in words, besides the option of the select.
    await desk.getByText('1 chosen member').last().waitFor()
    await desk.getByLabel('Text', { exact: true }).fill('The meeting is at noon.')
    await desk.getByLabel('Preview text').fill('Please come.')
    const today = dayOf(siteTime(), 'America/New_York')
    await desk.getByLabel(/^Day of the meeting/).fill(addDays(today, 9))
    await seeText(desk, /^Send this notice from/)
    await seeText(desk, 'All changes saved.')
    await desk.getByRole('button', { name: 'Send now', exact: true }).click()
    await desk.getByRole('button', { name: 'Send', exact: true }).click()
    await seeText(desk, /^This is outside the time for a notice/)
    await desk.getByLabel(/^Day of the meeting/).fill(addDays(today, 45))
    await seeText(desk, 'All changes saved.')
    await desk.getByRole('button', { name: 'Send now', exact: true }).click()
    await desk.getByRole('button', { name: 'Send', exact: true }).click()
    const notice = await mailbox.waitForEmail(member.email, new RegExp(`^${title}`))
    expect(notice.text).toContain('The meeting is at noon.')
    expect(notice.headers['list-unsubscribe']).toBeUndefined()
    await desk.getByRole('button', { name: 'Seal the proof' }).click()
    await desk.getByRole('button', { name: 'Proof (PDF)' }).waitFor()

    await phone.goto('/auth/account/emails')
    await seeText(phone, title)
    const news = phone.getByRole('switch', { name: /^News for members/ })
    expect(await news.isChecked()).toBe(true)
    await news.click()
    await expect.poll(() => news.isChecked(), POLL_OPTIONS).toBe(false)
    await phone.reload()
    await expect
      .poll(() => phone.getByRole('switch', { name: /^News for members/ }).isChecked(), POLL_OPTIONS)
      .toBe(false)
  })
})
