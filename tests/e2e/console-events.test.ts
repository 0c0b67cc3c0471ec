import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import type { JourneySite } from '#tests/support/browser/journey-site.ts'
import { linkIn, type Mailbox } from '#tests/support/emails/mailbox.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { test } from './steps/journey.ts'
import { POLL_OPTIONS, seeText } from './steps/expectations.ts'
import { openConsoleAsPresident } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

const PHONE = { viewport: { width: 360, height: 740 } }
const OFFLINE = /ERR_INTERNET_DISCONNECTED/
const EVENT = 'strings-and-stories'

describe('RSVPs and check-in', () => {
  test(
    'an officer opens RSVPs; a guest RSVPs and cancels on a phone; ten guests are checked in offline',
    { tags: ['core'] },
    async ({ arrive, mailbox, site }) => {
      const officer = await arrive({ ...PHONE, expects: [OFFLINE] })
      await openConsoleAsPresident(officer, site)
      await officer.goto(`/console/rsvp/${EVENT}/offer`)
      await officer.getByLabel('Seats').fill('40')
      await officer.getByLabel(/^RSVPs are open/).check()
      await officer.getByRole('button', { name: 'Save', exact: true }).click()
      await seeText(officer, 'Saved. The change is live.')

      const guest = newPerson()
      await sayComingAndCancel(await arrive(PHONE), guest.email, async (subject) =>
        linkIn(await mailbox.waitForEmail(guest.email, subject)),
      )
      await mailbox.waitForEmail(guest.email, /^Your RSVP is canceled/)

      const names = Array.from({ length: 10 }, (_, turn) => `Guest ${String.fromCharCode(65 + turn)}`)
      for (const name of names) await sayComingByCall(site, mailbox, name)
      await officer.goto('/console')
      await officer.getByRole('navigation', { name: 'Most used' }).getByRole('link', { name: 'Check-in' }).click()
      await officer.getByRole('link', { name: 'Strings and Stories' }).click()
      await officer.getByRole('button', { name: `Check in ${names[9]}` }).waitFor()
      await seeText(officer, 'This page now works offline.')
      await officer.context().setOffline(true)
      for (const name of names) {
        await officer.getByRole('button', { name: `Check in ${name}` }).click()
        await officer.getByRole('button', { name: `Undo check-in of ${name}` }).waitFor()
      }
      await seeText(officer, /You’re offline. 10 not sent yet/)
      expect(await officer.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

      // The phone was in a pocket, and its browser discarded the page.
      await officer.reload()
      await seeText(officer, /You’re offline. 10 not sent yet/)
      for (const name of names) await officer.getByRole('button', { name: `Undo check-in of ${name}` }).waitFor()
      await officer.context().setOffline(false)
      await seeText(officer, 'All changes sent.')

      const second = await officer.context().newPage()
      await second.goto(`/console/rsvp/${EVENT}`)
      for (const name of names) await second.getByRole('button', { name: `Undo check-in of ${name}` }).waitFor()

      // Logging out removes the check-in list from this browser.
      const keptHere = () =>
        second.evaluate(async () => ({
          caches: await caches.keys(),
          workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
          lists: Object.keys(localStorage).filter((key) => key.startsWith('door')),
        }))
      const kept = await keptHere()
      expect([kept.caches.length, kept.workers, kept.lists.toSorted()]).toEqual([
        1,
        ['/console/rsvp/'],
        ['door-officer', `door:${EVENT}`],
      ])
      await officer.close()
      await second.setViewportSize({ width: 1280, height: 800 })
      await second.getByRole('banner').getByRole('button').last().click()
      await second.getByRole('menuitem', { name: 'Log out' }).click()
      await expect.poll(keptHere, POLL_OPTIONS).toEqual({ caches: [], workers: [], lists: [] })
    },
  )
})

async function sayComingAndCancel(
  phone: Page,
  email: string,
  link: (subject: RegExp) => Promise<string>,
): Promise<void> {
  const form = phone.getByRole('heading', { name: 'RSVP', exact: true })
  await expect
    .poll(async () => {
      await phone.goto(`/events/${EVENT}`)
      return form.count()
    }, POLL_OPTIONS)
    .toBe(1)
  await form.scrollIntoViewIfNeeded()
  await phone.getByLabel('Name').fill('Ana Rao')
  await phone.getByLabel('Email').fill(email)
  await phone.getByRole('button', { name: 'Send my RSVP' }).click()
  await seeText(phone, 'One more step: confirm by email')
  await phone.goto(await link(/^Please confirm your RSVP/))
  await seeText(phone, /^Your seats are held until /)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await phone.getByRole('button', { name: 'Confirm my RSVP' }).click()
  await seeText(phone, 'Your seats are confirmed. We’ve emailed you the check-in code.')
  await phone.goto('/events')
  await phone.goto(await link(/^You are on the list/))
  await seeText(phone, 'Confirmed')
  expect(phone.url()).not.toContain('token')
  await phone.getByRole('button', { name: 'Cancel RSVP', exact: true }).click()
  await phone.getByRole('button', { name: 'Cancel my RSVP' }).click()
  await seeText(phone, 'Your RSVP was canceled. We’ve emailed you a confirmation.')
}

async function sayComingByCall({ url, standinsUrl }: JourneySite, mailbox: Mailbox, name: string): Promise<void> {
  const proof = await fetch(`${standinsUrl}/recaptcha/token?action=event_rsvp&score=0.9`)
  const { token: recaptchaToken } = (await proof.json()) as { token: string }
  const { email } = newPerson()
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const asked = await send(`events/${EVENT}/rsvp`, { name, email, guests: 0, meals: [], recaptchaToken })
  expect(asked).toEqual({ place: 'unconfirmed', heldMinutes: 30 })
  const token = secretIn(new URL(linkIn(await mailbox.waitForEmail(email, /^Please confirm your RSVP/))))
  expect(await send('rsvp/confirm', { token })).toMatchObject({ place: 'coming' })
}
