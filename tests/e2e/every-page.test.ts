import { describe, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { runAxe } from '#tests/support/browser/axe.ts'
import { pageData } from '#web/app/page-data.ts'
import { paths } from '#web/app/paths.ts'
import { chooseLevel, fillRegistration } from './steps/joining.ts'
import { test } from './steps/journey.ts'
import { seeAlert, seeHeading, seeText } from './steps/expectations.ts'
import { newPerson, SAMPLE_PASSWORD } from './steps/people.ts'
import { logIn, submitLogin, userMenu } from './steps/sessions.ts'

const PHONE_HEIGHT = 740
/** `npm run test:all` */
const ALL = process.env['TEST_ALL'] === '1'

interface Scene {
  name: string
  /** Ends with everything loaded. */
  set(page: Page): Promise<void>
  expects?: RegExp[]
}

const STRANGER = { identifier: 'stranger@example.org', password: 'not right' }

function pageAt(address: string, heading: string): Scene {
  return {
    name: address,
    async set(page) {
      await page.goto(address)
      await seeHeading(page, heading)
    },
  }
}

/** One page of each kind that content has a page for. */
const OF_A_KIND: Record<string, string> = {
  '/events/:id': '/events/gala-under-the-oaks',
  '/news/:id': '/news/gala-tables-open',
}

/** All public pages; a new page is included automatically. */
const reading: Scene[] = pageData
  // Officers' own pages, and the public directory, which is off until officers turn it on; the site of the journeys has none.
  .filter(({ path }) => path !== '/:address' && path !== paths.findAMember())
  .filter(({ indexed }) => indexed)
  .map(({ path }) => ({
    name: path,
    async set(page) {
      await page.goto(OF_A_KIND[path] ?? path)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  }))

const joining: Scene[] = [
  pageAt('/auth/login', 'Log in'),
  pageAt('/auth/account', 'Account'),
  pageAt('/auth/confirm-email?token=a', 'Use this email address?'),
  pageAt('/auth/stop-email-change?token=a', 'Stop the change of your email address?'),
  pageAt('/reset-password', 'Reset your password'),
  pageAt('/reset-password?token=a&userId=b', 'Choose a new password'),
  pageAt('/email-verification', 'Check your email'),
  pageAt('/email-verification?email=ana%40example.org', 'Check your email'),
  pageAt('/stripe/success', 'We could not confirm your payment'),
  pageAt('/stripe/success?free=1', 'Membership Activated!'),
  pageAt('/stripe/cancel', 'Payment Cancelled'),
  { ...pageAt('/no-such-page', 'There is no door here'), expects: [/status of 404 .*\/no-such-page/] },
]

const refusals: Scene[] = [
  {
    name: 'the registration form with problems',
    async set(page) {
      await chooseLevel(page)
      await fillRegistration(page, { ...newPerson(), email: 'ana@', username: '-' })
      await seeText(page, 'Please enter a valid email address')
    },
  },
  {
    name: 'a refused log-in',
    expects: [/status of 401/],
    async set(page) {
      await page.goto('/auth/login')
      await submitLogin(page, STRANGER)
      await seeAlert(page, 'Invalid email/username or password.')
    },
  },
  {
    name: 'an expired link',
    expects: [/status of 410/],
    async set(page) {
      await page.goto('/email-verification?email=ana%40example.org&token=unknown')
      await seeHeading(page, 'Link Expired')
    },
  },
  {
    name: 'the notice',
    async set(page) {
      await page.goto('/')
      await page.getByRole('button', { name: 'Notices, 1 new' }).click()
      await seeHeading(page, 'Password Reset Notice')
    },
  },
  {
    name: 'a newsletter above the archive',
    async set(page) {
      await page.goto('/newsletter')
      // Not the newest: another journey may have sent one in the meantime.
      const entry = page.getByRole('listitem').filter({ hasText: 'Clinic days this winter' })
      await entry.getByRole('button', { name: 'Read' }).click()
      await page.getByRole('dialog').getByRole('heading', { name: 'Clinic days this winter' }).waitFor()
    },
  },
  {
    name: 'the newsletters as a list, of which none fits',
    async set(page) {
      await page.goto('/newsletter')
      await page.getByRole('button', { name: 'List view' }).click()
      await page.getByLabel('Search').fill('no such word')
      await seeText(page, /^No newsletters match your current filters/)
    },
  },
  {
    name: 'the menu of a phone',
    async set(page) {
      await page.setViewportSize({ width: 360, height: PHONE_HEIGHT })
      await page.goto('/')
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('link', { name: 'Become a Member' }).first().waitFor()
    },
  },
]

const memberScenes: Scene[] = [
  {
    name: 'the account of a member',
    async set(page) {
      await page.goto('/auth/login?next=/auth/account')
      await submitLogin(page, { identifier: 'annual@example.org', password: SAMPLE_PASSWORD })
      await seeText(page, 'Signed in as meera.r')
    },
  },
  {
    name: 'the other pages of the account',
    async set(page) {
      for (const section of ['membership', 'emails', 'data']) {
        await page.goto(`/auth/account/${section}`)
        await page.locator('.account .box').last().waitFor()
      }
    },
  },
  {
    name: 'the profile with everything open, and problems',
    async set(page) {
      await page.goto('/auth/account/profile')
      await page.getByRole('button', { name: 'Edit profile' }).click()
      await page.getByLabel('Username').fill('-')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('button', { name: 'Change email address' }).click()
    },
  },
  {
    name: 'security and devices, with problems',
    async set(page) {
      await page.goto('/auth/account/security')
      await page.getByText('This device').waitFor()
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Current password is required').first().waitFor()
    },
  },
  {
    name: 'the question before an account is deleted',
    async set(page) {
      await page.goto('/auth/account/data')
      await page.getByRole('button', { name: 'Delete account' }).click()
      await seeHeading(page, 'Delete your account?')
    },
  },
  {
    name: 'the plans of a member, with the user menu open',
    async set(page) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await logIn(
        page,
        { identifier: 'life@example.org', password: SAMPLE_PASSWORD },
        '/auth/login?next=/become-a-member',
      )
      await page.getByRole('button', { name: 'Current Plan' }).waitFor()
      await userMenu(page).click()
      await page.getByRole('menuitem', { name: 'Account' }).waitFor()
    },
  },
]

const PHONE = { width: 360, height: PHONE_HEIGHT }
const WIDE = { width: 1440, height: 900 }

/** So that a walk stays far below the limit of a test, also on a busy machine. */
const PAGES_A_WALK = 7

/** One visitor per walk: opening a browser costs more than opening a page. */
const walks = [
  ...Array.from({ length: Math.ceil(reading.length / PAGES_A_WALK) }, (_, index) => ({
    who: `a reader, part ${index + 1}`,
    scenes: reading.slice(index * PAGES_A_WALK, (index + 1) * PAGES_A_WALK),
  })),
  { who: 'a person who joins', scenes: joining },
  { who: 'a person whose input is rejected', scenes: refusals },
  { who: 'a member', scenes: memberScenes },
]

describe('no page has accessibility violations in either scheme, or scrolls horizontally', () => {
  test.for(walks)('for $who', { tags: ['core'] }, async ({ scenes }, { arrive }) => {
    const expects = scenes.flatMap((scene) => scene.expects ?? [])
    const page = await arrive({ expects, reducedMotion: 'reduce' })
    for (const [turn, { name, set }] of scenes.entries()) {
      await set(page)
      // The frame changes with the width and is the same on every page. T59 checks each page in every size, scheme and zoom.
      for (const screen of turn === 0 ? [WIDE, PHONE] : [PHONE]) {
        await page.setViewportSize(screen)
        await page.emulateMedia({ colorScheme: 'light' })
        expect({ name, screen, barriers: await findBarriers(page) }).toMatchObject({ barriers: [] })
      }
      // Only the colors differ in the dark scheme, and pages share them.
      if (turn === 0 || ALL) {
        await page.emulateMedia({ colorScheme: 'dark' })
        expect({ name, barriers: await findBarriers(page, ['color-contrast']) }).toMatchObject({ barriers: [] })
      }
      await page.setViewportSize({ width: 320, height: PHONE_HEIGHT })
      expect({ name, sideways: await page.evaluate(findSidewaysScroll) }).toEqual({ name, sideways: 0 })
    }
  })
})

/** Horizontal overflow in pixels. */
function findSidewaysScroll(): number {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth - clientWidth
}

/** The full-page patterns are too faint to matter and would make axe undecided. */
const CHECKS = { 'color-contrast': { options: { ignorePseudo: true } } }

/** One line for each: the rule and the element that violates it. */
async function findBarriers(page: Page, runOnly?: string[]): Promise<string[]> {
  const { violations } = await runAxe(page, {
    resultTypes: ['violations'],
    checks: CHECKS,
    ...(runOnly && { runOnly }),
  })
  return violations.map(({ rule, html }) => `${rule}: ${html.slice(0, 160)}`)
}
