import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { POLL_OPTIONS, seeHeading, seeText } from '#tests/e2e/steps/expectations.ts'
import { test } from '#tests/e2e/steps/journey.ts'
import { openConsoleAsPresident } from '#tests/e2e/steps/officers.ts'
import { submitLogin } from '#tests/e2e/steps/sessions.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const OFFLINE = /ERR_INTERNET_DISCONNECTED/
const MEMBER = { identifier: 'annual@example.org', password: 'Peachtree-1987' }
const OTHER = { identifier: 'life@example.org', password: 'Peachtree-1987' }

describe('the membership card', () => {
  test(
    'a member opens it from the account and keeps it; an officer scans it; it opens offline, and leaves with its member',
    { tags: ['core'] },
    async ({ arrive, site }) => {
      const phone = await arrive({ ...PHONE, expects: [OFFLINE] })
      await phone.goto('/auth/login?next=/auth/account')
      await submitLogin(phone, MEMBER)
      await phone.getByRole('link', { name: 'Show membership card' }).click()
      await seeText(phone, 'Valid today')
      const name = (await phone.getByRole('heading', { level: 1 }).textContent()) ?? ''
      await phone.getByRole('img', { name: 'Code for officers to scan' }).waitFor()
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      await phone.getByRole('button', { name: 'Keep on this phone' }).click()
      await seeText(phone, /^Works offline on this phone/)

      const officer = await arrive()
      await openConsoleAsPresident(officer, site)
      const url = await codeOf(phone)
      await officer.getByRole('link', { name: 'Scan a card' }).click()
      await officer.getByLabel('Code or address of a card').fill(url)
      await officer.getByRole('button', { name: 'Check' }).click()
      await seeText(officer, `Active: ${name}`)
      // As the camera app of the officer's phone opens it.
      await officer.goto(url)
      await officer.waitForURL('**/console/cards')
      await seeText(officer, `Active: ${name}`)

      const stranger = await arrive()
      await stranger.goto(url)
      await seeHeading(stranger, 'Code of a membership card')
      await seeText(stranger, /^It tells nothing by itself/)
      expect(await stranger.locator('main').textContent()).not.toContain(name)
      expect(await stranger.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')

      await phone.context().setOffline(true)
      await seeText(phone, /^Last checked/)
      await phone.reload()
      await seeHeading(phone, name)
      await seeText(phone, /^Last checked/)
      await phone.getByRole('img', { name: 'Code for officers to scan' }).waitFor()
      expect(await phone.getByText('Valid today').count()).toBe(0)
      await phone.context().setOffline(false)
      await seeText(phone, 'Valid today')

      await phone.getByRole('button', { name: 'Get a new code' }).click()
      await phone.getByRole('button', { name: 'Replace code' }).click()
      await expect.poll(() => codeOf(phone), POLL_OPTIONS).not.toBe(url)
      await officer.getByLabel('Code or address of a card').fill(url)
      await officer.getByRole('button', { name: 'Check' }).click()
      await seeText(officer, 'Not a valid code')

      expect(await keptOn(phone)).toEqual({ caches: 1, workers: ['/auth/account/card'], cards: 1 })
      // Another member logs in on the same phone, without a log-out in between.
      await phone.goto('/auth/login')
      await phone.evaluate(() => localStorage.removeItem('token'))
      await phone.goto('/auth/login?next=/auth/account')
      await submitLogin(phone, OTHER)
      await seeHeading(phone, /^Hello/)
      await expect.poll(() => keptOn(phone), POLL_OPTIONS).toEqual({ caches: 0, workers: [], cards: 0 })
      await phone.goto('/auth/account/card')
      await seeText(phone, 'Valid today')
      expect(await phone.locator('main').textContent()).not.toContain(name)
      await phone.getByRole('button', { name: 'Keep on this phone' }).click()
      await seeText(phone, /^Works offline on this phone/)
      await phone.goto('/auth/account')
      await phone.setViewportSize({ width: 1280, height: 800 })
      await phone.getByRole('navigation', { name: 'Account' }).getByRole('button', { name: 'Sign out' }).click()
      await expect.poll(() => keptOn(phone), POLL_OPTIONS).toEqual({ caches: 0, workers: [], cards: 0 })
    },
  )
})

/** The address in the code, as the member's browser has it. */
function codeOf(phone: Page): Promise<string> {
  return phone.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem('token') ?? ''}`
    const response = await fetch('/api/account/card', { headers: { authorization } })
    return ((await response.json()) as { code: { url: string } }).code.url
  })
}

/** What the browser keeps of cards. */
function keptOn(phone: Page) {
  return phone.evaluate(async () => ({
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
    cards: Object.keys(localStorage).filter((key) => key.startsWith('card')).length,
  }))
}
