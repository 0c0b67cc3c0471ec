import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import {
  arrive,
  memberState,
  PHONE,
  waitUntilIdle,
  visit,
  withBrowser,
  type Guest,
} from '#tests/trust/browser/browsing.ts'
import { KeyboardWalk } from '#tests/trust/browser/keyboard.ts'
import { inParallel } from '#tests/trust/load.ts'
import { ACCOUNT_PAGES, findPublicPages } from '#tests/trust/browser/public-pages.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { listUsable, USABLE, type Usable } from '#tests/trust/browser/usable.ts'

const AT_ONCE = 2
const CHANGES_WITHIN_MS = 3_000
const LEAVES_WITHIN_MS = 5_000

interface Visit {
  address: string
  who: string
  options: BrowserContextOptions
  /** Also uses the controls of the frame, which are the same on every page. */
  frame: boolean
}

/** How often each kind of control was used. */
type Uses = Record<'stops' | 'menus' | 'dialogs' | 'tabs' | 'carousels' | 'forms' | 'folds', number>

export const row: TrustRow = {
  id: 'T60',
  promise: 'Keyboard and focus',
  gate: true,
  target:
    'every route traversed with Tab, and every menu, dialog, tab list, carousel, disclosure and form used with the keyboard only: 100 % of the steps have the expected result; focus visible and not covered',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const { few, note } = await findPublicPages(world)
    const asMember = { storageState: await memberState(world) }
    const visits: Visit[] = [
      ...few.map(({ address }) => ({ address, who: '', options: {}, frame: address === '/' })),
      { address: '/', who: ' on a phone', options: { viewport: PHONE }, frame: true },
      ...ACCOUNT_PAGES.map((address) => ({ address, who: ' of a member', options: asMember, frame: true })),
      {
        address: '/auth/account',
        who: ' of a member on a phone',
        options: { ...asMember, viewport: PHONE },
        frame: true,
      },
    ]
    const faults = new Faults()
    const knownFocusRings = new Set<string>()
    const uses: Uses = { stops: 0, menus: 0, dialogs: 0, tabs: 0, carousels: 0, forms: 0, folds: 0 }
    return withBrowser(async (browser) => {
      const steps = await inParallel(visits, AT_ONCE, (visited) =>
        walk(browser, world, { visited, faults, knownFocusRings, uses }),
      )
      const total = steps.reduce((sum, count) => sum + count, 0)
      const counted = Object.entries(uses).map(([what, count]) => `${count} ${what}`)
      return {
        passed: faults.count === 0,
        reached: `${total} keys pressed on ${visits.length} visits: ${counted.join(', ')}; faults: ${faults}`,
        notes: note,
      }
    })
  },
}

interface Walk {
  visited: Visit
  faults: Faults
  knownFocusRings: Set<string>
  uses: Uses
}

async function walk(browser: Browser, world: World, { visited, faults, knownFocusRings, uses }: Walk): Promise<number> {
  const { address, who, options, frame } = visited
  const where = address + who
  const guest = await arrive(browser, world, { reducedMotion: 'reduce', ...options })
  const keys = new KeyboardWalk(guest.page, faults, knownFocusRings)
  try {
    await keys.prepare()
    await visit(guest.page, address)
    await keys.startAtTop()
    await judgeSkipLink(keys, guest.page, where)
    await keys.startAtTop()
    await keys.tabThrough(where)
    uses.stops += keys.steps
    const isMember = options.storageState !== undefined
    await tryControls({ guest, keys, address, where, frame, isMember, uses, world })
    await tryForms({ guest, keys, address, where, uses })
    return keys.steps
  } finally {
    await guest.leave()
  }
}

/** The first stop is the skip link. */
async function judgeSkipLink(keys: KeyboardWalk, page: Page, where: string): Promise<void> {
  await keys.press('Tab')
  const { html } = await keys.judgeStop(where)
  keys.expect(html.includes('href="#main"'), 'first stop is not the skip link', `${where}: ${html}`)
  await keys.press('Enter')
  const isIn = await page.evaluate(() => document.activeElement?.id === 'main')
  keys.expect(isIn, 'skip link does not skip', where)
  await keys.press('Tab')
  const isPast = await page.evaluate(() => document.activeElement?.closest('header') === null)
  keys.expect(isPast, 'skip link leads into the header', where)
}

interface Using {
  guest: Guest
  keys: KeyboardWalk
  address: string
  where: string
  uses: Uses
}

/** Uses one control of each kind, as in `scenes.ts`, with the keys of its role. */
async function tryControls({
  guest,
  keys,
  address,
  where,
  frame,
  isMember,
  uses,
  world,
}: Using & { frame: boolean; isMember: boolean; world: World }) {
  const { page } = guest
  const isHere = () => {
    const { origin, pathname } = new URL(page.url())
    return origin === world.siteUrl && pathname === new URL(address, world.siteUrl).pathname
  }
  async function listNow(): Promise<Usable[]> {
    await visit(page, address)
    return page.evaluate(listUsable, [USABLE, frame] as const)
  }
  for (const listed of await listNow()) {
    const usable = (await listNow()).find(({ name, use }) => name === listed.name && use === listed.use)
    if (!usable) {
      // What a member uses may be stored, such as an answer to an event.
      keys.expect(isMember, 'control is gone', `${where}, "${listed.name}"`)
      continue
    }
    const control = page.locator(USABLE).nth(usable.at)
    const what = `${where}, "${usable.name}"`
    try {
      await control.focus()
      const kind = await tryControl({ keys, page, control, usable, what, isHere })
      if (kind) uses[kind]++
    } catch (error) {
      // Some buttons navigate, after a moment.
      await page.waitForURL(() => !isHere(), { timeout: LEAVES_WITHIN_MS }).catch(() => {})
      if (isHere()) throw error
    }
  }
}

interface OneUse {
  keys: KeyboardWalk
  page: Page
  control: Locator
  usable: Usable
  what: string
  /** Whether the control's page is still open. */
  isHere(): boolean
}

/** The kind of widget; null for a plain button. */
async function tryControl({ keys, page, control, usable, what, isHere }: OneUse): Promise<keyof Uses | null> {
  const { name, use } = usable
  if (use === 'menu') {
    await keys.judgeMenu(what)
    return 'menus'
  }
  if (use === 'phone menu') {
    await checkPhoneMenu(keys, page, what)
    return 'menus'
  }
  if (use === 'tab') {
    await keys.press('ArrowRight')
    const next = page.locator('[role=tab]:focus')
    keys.expect(
      (await next.count()) === 1 && (await next.textContent()) !== name,
      'arrow does not change the tab',
      what,
    )
    await keys.judgeStop(what)
    return 'tabs'
  }
  if (use === 'fold') {
    const isOpen = () => control.evaluate((summary) => (summary.parentElement as HTMLDetailsElement).open)
    const before = await isOpen()
    await keys.press('Enter')
    keys.expect((await isOpen()) !== before, 'fold does not answer', what)
    await keys.judgeStop(what)
    return 'folds'
  }
  if (use === 'pause') {
    await keys.press('Space')
    keys.expect((await control.getAttribute('aria-label')) !== name, 'pause does not answer', what)
    await keys.judgeStop(what)
    return 'carousels'
  }
  if (use === 'move') {
    const before = await page.locator('main').innerHTML()
    await keys.press('Enter')
    const changed = await page
      .waitForFunction((old) => document.querySelector('main')?.innerHTML !== old, before, {
        timeout: CHANGES_WITHIN_MS,
      })
      .catch(() => null)
    keys.expect(changed !== null, 'carousel does not move', what)
    await keys.judgeStop(what)
    return 'carousels'
  }
  await keys.press('Enter')
  await waitUntilIdle(page)
  if ((await page.getByRole('dialog').count()) > 0) {
    await keys.judgeDialog(what)
    return 'dialogs'
  }
  const isKept = await page.evaluate(isSomewhere)
  // A button that navigates leaves the focus to the new page.
  keys.expect(isKept || !isHere(), 'focus lost by button', what)
  return null
}

/** The phone menu: Tab reaches every item, Escape returns to its button. */
async function checkPhoneMenu(keys: KeyboardWalk, page: Page, where: string): Promise<void> {
  await keys.press('Enter')
  const phoneMenu = page.locator('header nav:visible')
  await phoneMenu.waitFor()
  for (const fold of await phoneMenu.locator('summary').all()) {
    await fold.focus()
    await keys.press('Enter')
  }
  await page.locator('header [aria-expanded=true]').first().focus()
  const count = await phoneMenu.locator('a, button, summary').count()
  for (let turn = 0; turn < count; turn++) {
    await keys.press('Tab')
    await keys.judgeStop(where)
    const isInside = await phoneMenu.evaluate((menu) => menu.contains(document.activeElement))
    keys.expect(isInside, 'menu entry not reached', `${where}: ${turn + 1} of ${count}`)
  }
  await keys.press('Escape')
  await phoneMenu.waitFor({ state: 'hidden' })
  const isBack = await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded') === 'false')
  keys.expect(isBack, 'focus lost by the menu', where)
}

/** Types invalid input into every field, stop by stop, and submits with Enter: the focus moves to the first error or its summary. */
async function tryForms({ guest, keys, address, where, uses }: Using): Promise<void> {
  const { page } = guest
  await visit(page, address)
  const forms = await page.locator('form:visible').count()
  for (let at = 0; at < forms; at++) {
    await visit(page, address)
    const form = page.locator('form:visible').nth(at)
    const fields = form.locator('input:visible:not([type=checkbox], [type=radio]), textarea:visible')
    const count = await fields.count()
    if (count === 0) continue
    await fields.first().focus()
    for (let turn = 0; turn < count; turn++) {
      // A field may have a button next to it, such as the one that shows a password.
      for (let tabs = 0; tabs < 4 && !(await fields.nth(turn).evaluate(hasFocus)); tabs++) await keys.press('Tab')
      keys.expect(
        await fields.nth(turn).evaluate(hasFocus),
        'field not reached',
        `${where}, form ${at + 1}: ${turn + 1}`,
      )
      await keys.judgeStop(where)
      await page.keyboard.type('@')
      keys.steps++
    }
    await keys.press('Enter')
    await waitUntilIdle(page)
    keys.expect(await page.evaluate(isSomewhere), 'focus lost by form', `${where}, form ${at + 1}`)
    uses.forms++
  }
}

/** Runs in the page. */
function hasFocus(element: Element): boolean {
  return element === document.activeElement
}

/** Runs in the page: a control, or a focused heading or message. */
function isSomewhere(): boolean {
  const { activeElement } = document
  return activeElement !== null && activeElement !== document.body
}
