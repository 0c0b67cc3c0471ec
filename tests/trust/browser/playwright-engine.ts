import type { Browser, Page } from 'playwright-core'
import type { World } from '../site.ts'
import { arrive, WIDE, type Guest } from './browsing.ts'
import type { Engine, Role, Tab, Wishes } from './tab.ts'

/** Chromium or Firefox. */
export function playwrightEngine(name: 'Chromium' | 'Firefox', browser: Browser, world: World): Engine {
  return {
    name,
    version: browser.version(),
    async open({ viewport = WIDE, timeZone, preload, answers = {} }: Wishes = {}) {
      const guest = await arrive(browser, world, { viewport, ...(timeZone && { timezoneId: timeZone }) })
      if (preload) await guest.context.addInitScript(preload)
      for (const [path, answer] of Object.entries(answers))
        await guest.context.route(`**${path}`, (route) => {
          const given = answer()
          return given ? route.fulfill({ status: given.status, json: given.body }) : route.abort()
        })
      return tabOf(guest, guest.page)
    },
    close: () => browser.close(),
  }
}

function tabOf(guest: Guest, page: Page): Tab {
  const find = (role: Role, name: RegExp) =>
    (role === 'field' ? page.getByLabel(name) : page.getByRole(role, { name })).filter({ visible: true }).first()
  return {
    async open(address) {
      await page.goto(address)
      // A page may go on by itself soon, such as to the payment.
      await page.waitForFunction(() => window.siteAliveAt)
    },
    openPlain: async (address) => void (await page.goto(address)),
    press: (role, name) => find(role, name).click(),
    // In Firefox `fill` sets the value by script, which React does not take for input.
    fill: (label, text) => find('field', label).pressSequentially(text),
    see: (role, name) => find(role, name).waitFor(),
    // As text, since the page library passes one value only.
    run: (work, ...words) => page.evaluate(`(${work.toString()})(...${JSON.stringify(words)})`),
    pathname: () => Promise.resolve(new URL(page.url()).pathname),
    async another(address) {
      const other = tabOf(guest, await guest.context.newPage())
      await other.open(address)
      return other
    },
    takeTroubles: () => Promise.resolve(guest.takeTroubles()),
    leave: () => guest.leave(),
  }
}
