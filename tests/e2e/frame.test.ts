import { describe, expect } from 'vitest'
import { test } from './steps/journey.ts'
import { POLL_OPTIONS, seeFocusOn, seeHeading, seeText } from './steps/expectations.ts'
import { SAMPLE_PASSWORD } from './steps/people.ts'
import { logIn, submitLogin } from './steps/sessions.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

describe.concurrent('the frame', () => {
  test('on a phone the menu opens, navigates, and closes on wider screens', { tags: ['core'] }, async ({ arrive }) => {
    const page = await arrive(PHONE)
    await page.goto('/')
    expect(await page.getByRole('navigation', { name: 'Main', exact: true }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Main, small screens' })
    await menu.getByRole('link', { name: 'Log in' }).waitFor()
    await menu.getByRole('link', { name: 'Become a Member' }).waitFor()

    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await seeFocusOn(page.getByRole('button', { name: 'Open menu' }))

    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.setViewportSize({ width: 767, height: 740 })
    expect(await menu.isVisible()).toBe(true)
    await page.setViewportSize({ width: 768, height: 740 })
    await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor()
    await menu.waitFor({ state: 'hidden' })
    await page.setViewportSize(PHONE.viewport)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await menu.getByRole('link', { name: 'Memberships' }).click()
    await seeHeading(page, 'Become a member')
    await menu.waitFor({ state: 'hidden' })
  })

  test('a page that is loaded again stays where it was', async ({ arrive }) => {
    const page = await arrive(PHONE)
    for (const [path, heading] of [
      ['/become-a-member', 'Before you join'],
      ['/about', 'Elected to serve'],
    ] as const) {
      await page.goto(path, { waitUntil: 'networkidle' })
      const top = () =>
        page.getByRole('heading', { name: heading }).evaluate((element) => element.getBoundingClientRect().top)
      // As a person does: what is passed gets its real height.
      while ((await top()) > PHONE.viewport.height / 2)
        await page.evaluate(async () => {
          scrollBy({ top: innerHeight / 3, behavior: 'instant' })
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
        })
      const before = await top()
      await page.reload({ waitUntil: 'networkidle' })
      expect(Math.abs((await top()) - before)).toBeLessThan(PHONE.viewport.height / 4)
    }
  })

  test('a link to a section of another page leads to the section', async ({ arrive }) => {
    const page = await arrive(PHONE)
    await page.goto('/events', { waitUntil: 'networkidle' })
    await page
      .getByRole('link', { name: /^RSVP Now/ })
      .first()
      .click()
    await seeFocusOn(page.getByRole('heading', { level: 2, name: 'RSVP' }))
    const top = () => page.locator('#rsvp').evaluate((element) => element.getBoundingClientRect().top)
    await expect.poll(top, POLL_OPTIONS).toBeLessThan(PHONE.viewport.height / 2)
    expect(await top()).toBeGreaterThan(0)
  })

  test('on a phone the menu groups open and navigate', async ({ arrive }) => {
    const page = await arrive(PHONE)
    await page.goto('/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Main, small screens' })
    const link = menu.getByRole('link', { name: 'FAQs' })
    expect(await link.isVisible()).toBe(false)
    await menu.getByText('About', { exact: true }).click()
    await link.click()
    await page.waitForURL('**/faqs')
    await menu.waitFor({ state: 'hidden' })
  })

  test('on a wide screen the dropdown links to every page in it', async ({ arrive }) => {
    const page = await arrive()
    await page.goto('/')
    const dropdown = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('button', { name: 'About' })
    await dropdown.click()
    await page.getByRole('menuitem', { name: 'Our Mission' }).waitFor()
    const names = await page.getByRole('menuitem').allTextContents()
    await page.keyboard.press('Escape')
    for (const name of names) {
      await dropdown.click()
      await page.getByRole('menuitem', { name }).click()
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
      await seeFocusOn(page.getByRole('heading', { level: 1 }))
      expect(new URL(page.url()).pathname).not.toBe('/')
    }
  })

  test('on a phone a member finds account and sign-out in the menu', async ({ arrive }) => {
    const page = await arrive(PHONE)
    await page.goto('/auth/login')
    await submitLogin(page, { identifier: 'life@example.org', password: SAMPLE_PASSWORD })
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Main, small screens' })
    await menu.getByRole('link', { name: 'Account' }).click()
    await seeText(page, 'Lifetime membership')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await Promise.all([page.waitForEvent('load'), menu.getByRole('button', { name: 'Sign out' }).click()])
    await seeText(page, 'Authentication required. Please log in again.')
  })

  test('the user menu works with the keyboard alone', async ({ arrive }) => {
    const page = await arrive()
    await logIn(page, { identifier: 'ARVIND.nadkar', password: SAMPLE_PASSWORD })
    const avatar = page.getByRole('button', { name: 'Account menu for arvind.nadkar' })
    expect(await avatar.textContent()).toBe('A')
    await avatar.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Account' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Account' }).waitFor({ state: 'hidden' })
    await seeFocusOn(avatar)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'Account' }).waitFor()
    await page.keyboard.press('Enter')
    // Also after the heading of the page that is loading has gone.
    await seeFocusOn(page.getByRole('heading', { level: 1, name: 'Hello, Arvind' }))
  })

  test('the announcement opens in a dialog and closes on Escape, on a click outside, and with its button', async ({
    arrive,
  }) => {
    const page = await arrive()
    await page.goto('/')
    const bell = page.getByRole('button', { name: 'Notices, 1 new' })
    const dialog = page.getByRole('dialog', { name: 'Password Reset Notice' })
    const ways = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(20, 400),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ]
    for (const close of ways) {
      await bell.click()
      await dialog.getByRole('heading').waitFor()
      expect((await dialog.getByRole('heading').boundingBox())?.width).toBeLessThanOrEqual(352)
      expect(await page.getByText("Don't show again").count()).toBe(0)
      await close()
      await dialog.waitFor({ state: 'hidden' })
      await seeFocusOn(bell)
    }
    await bell.click()
    await dialog.getByRole('link', { name: 'Reset password' }).click()
    await seeHeading(page, 'Reset your password')
    await dialog.waitFor({ state: 'hidden' })
  })

  test('navigation scrolls to the top, focuses the heading and announces the title', async ({ arrive }) => {
    const page = await arrive(PHONE)
    await page.goto('/')
    // A link clicked before hydration is followed by the browser itself.
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('button', { name: 'Close menu' }).click()
    await page.getByRole('link', { name: 'Privacy policy', exact: true }).click()
    await seeFocusOn(page.getByRole('heading', { level: 1, name: 'Privacy policy' }))
    await page.waitForFunction(() => scrollY === 0)
    const title = await page.title()
    expect(title).toMatch(/^Privacy policy \| /)
    await page.getByRole('status').filter({ hasText: title }).waitFor({ state: 'attached' })

    await page.evaluate(() => scrollTo(0, 500))
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/')
    await page.waitForFunction(() => scrollY === 0)
    await seeFocusOn(page.getByRole('heading', { level: 1 }))
  })

  test('an unknown path shows a 404 page within the frame', async ({ arrive }) => {
    const page = await arrive({ expects: [/status of 404 .*\/no-such-page/] })
    const response = await page.goto('/no-such-page')
    expect(response?.status()).toBe(404)
    await seeHeading(page, 'There is no door here')
    await page.getByRole('contentinfo').waitFor()
    await page.waitForLoadState('networkidle')
    const header = await page.getByRole('banner').elementHandle()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await seeFocusOn(page.getByRole('heading', { level: 1 }))
    // The document is the same, with its style sheet.
    expect(await header?.evaluate((element) => element.isConnected)).toBe(true)
  })

  test(
    'a page brings its style sheet, and is painted when all of it is there',
    { tags: ['core'] },
    async ({ arrive }) => {
      const page = await arrive({ javaScriptEnabled: false })
      await page.goto('/privacy-policy')
      const found = await page.evaluate(() => ({
        files: document.querySelectorAll('link[rel=stylesheet]').length,
        styles: document.querySelector('style')?.textContent.length ?? 0,
        header: getComputedStyle(document.querySelector('.page-head h1') ?? document.body).fontFamily,
        awaited: document.querySelector(
          document.querySelector('link[rel=expect][blocking=render]')?.getAttribute('href') ?? 'none',
        )?.parentElement?.localName,
      }))
      expect(found).toMatchObject({ files: 0, header: expect.stringContaining('Eczar'), awaited: 'body' })
      expect(found.styles).toBeGreaterThan(50_000)
    },
  )

  test(
    'without JavaScript everything is readable, and forms explain what they need',
    { tags: ['core'] },
    async ({ arrive }) => {
      const page = await arrive({ ...PHONE, javaScriptEnabled: false })
      await page.goto('/')
      await page.getByRole('link', { name: 'Memberships' }).click()
      await seeHeading(page, 'Become a member')
      for (const level of [
        'Annual Member',
        'Life Member',
        'Resident or Fellow',
        'Medical Student',
        'Associate Member',
      ]) {
        await seeHeading(page, level)
      }
      await seeText(page, '$1,000')
      const forms = [
        '/become-a-member',
        '/auth/login',
        '/auth/account',
        '/reset-password',
        '/reset-password?token=a&userId=b',
        '/email-verification?email=ana%40example.org',
        '/email-verification?email=ana%40example.org&token=a',
        '/stripe/success?session_id=a&nonce=b',
      ]
      for (const address of forms) {
        await page.goto(address)
        await seeText(page, /^This form needs JavaScript\./)
        await page.getByRole('heading', { level: 1 }).waitFor()
      }
      for (const address of ['/terms-conditions', '/privacy-policy', '/stripe/cancel', '/stripe/success?free=1']) {
        await page.goto(address)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.getByRole('link', { name: 'Log in', exact: true }).first().waitFor()
      }
    },
  )
})
