import type { Page } from 'playwright-core'
import { waitUntilIdle } from './browsing.ts'
import { showsFocusRing, showsFocusRingInFrame, type Box } from './focus-ring.ts'
import type { Faults } from '../row.ts'

/** More stops than any page has: a longer walk is a focus trap. */
const MOST_STOPS = 400
const ARRIVES_WITHIN_MS = 1_000

const TABBABLE =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, audio[controls], video[controls], [tabindex]'

/** The focused element. */
export interface Stop {
  /** An id the element keeps while it exists; -1 when nothing is focused. */
  at: number
  html: string
  box: Box
  /** The element with the focus ring: the focused one, or the card it represents. */
  focusRing: Box
  /** What covers its center; empty when nothing does. */
  under: string
  isOffScreen: boolean
}

/** Keyboard-only steps, each with its expected outcome. */
export class KeyboardWalk {
  readonly #page: Page
  readonly #faults: Faults
  readonly #knownFocusRings: Set<string>
  steps = 0

  /** @param knownFocusRings shared by the walks of one row: the same control looks the same everywhere */
  constructor(page: Page, faults: Faults, knownFocusRings: Set<string>) {
    this.#page = page
    this.#faults = faults
    this.#knownFocusRings = knownFocusRings
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
    this.steps++
  }

  expect(holds: boolean, kind: string, where: string): void {
    this.#faults.expect(holds, kind, where)
  }

  stop(): Promise<Stop> {
    return this.#page.evaluate(describeFocus)
  }

  /** The focus enters a frame after a moment without focus, which takes a while on a busy machine. */
  async #stopAfterTab(): Promise<Stop> {
    const stop = await this.stop()
    if (stop.at !== -1) return stop
    await this.#page.waitForFunction(hasArrived, undefined, { timeout: ARRIVES_WITHIN_MS }).catch(() => {})
    return this.stop()
  }

  /** Checks the focused element: visible, not covered, with a focus ring. */
  async judgeStop(where: string): Promise<Stop> {
    const stop = await this.stop()
    const what = `${where}: ${stop.html}`
    if (stop.at === -1) {
      this.expect(false, 'focus nowhere', where)
      return stop
    }
    this.expect(!stop.isOffScreen, 'focus out of sight', what)
    this.expect(stop.under === '', 'focus under something', `${what} under ${stop.under}`)
    const size = this.#page.viewportSize()
    const look = `${stop.html} ${Math.round(stop.box.width)} ${Math.round(stop.box.height)} ${size?.width}`
    if (this.#knownFocusRings.has(look)) return stop
    this.#knownFocusRings.add(look)
    const shows = stop.html.startsWith('<iframe') ? showsFocusRingInFrame : showsFocusRing
    this.expect(await shows(this.#page, stop.focusRing), 'focus not visible', what)
    return stop
  }

  /** Before the page is opened: elements get ids, since a page may change between two steps. */
  async prepare(): Promise<void> {
    await this.#page.addInitScript(() => {
      const numbers = new WeakMap<Element, number>()
      let next = 0
      window.numberOf = (element) => {
        const number = numbers.get(element) ?? next++
        numbers.set(element, number)
        return number
      }
    })
  }

  /** The state after a page load that does not move the focus. */
  async startAtTop(): Promise<void> {
    await this.#page.evaluate(() => {
      document.body.tabIndex = -1
      document.body.focus()
      document.body.removeAttribute('tabindex')
      scrollTo(0, 0)
    })
  }

  /** From the current focus to the end of the page, stop by stop. Must reach every focusable element. */
  async tabThrough(where: string): Promise<void> {
    const seen = new Map<number, string>()
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      await this.press('Tab')
      const stop = await this.#stopAfterTab()
      // The content of the map is another site's, with any number of stops.
      const isFrame = stop.html.startsWith('<iframe')
      if (isFrame && seen.has(stop.at)) continue
      if (stop.at === -1 || seen.has(stop.at)) break
      await this.judgeStop(where)
      seen.set(stop.at, stop.html)
    }
    this.expect(seen.size < MOST_STOPS, 'no end of stops', where)
    const expected = await this.#page.evaluate(listTabbable, TABBABLE)
    for (const { at, html } of expected) this.expect(seen.has(at), 'not reached by Tab', `${where}: ${html}`)
  }

  /** A dialog traps the focus, closes on Escape and returns the focus to its opener. */
  async judgeDialog(where: string): Promise<void> {
    const page = this.#page
    const opener = 'the control that opened it'
    const dialog = page.getByRole('dialog').last()
    const isInside = () => dialog.evaluate((box) => box.contains(document.activeElement))
    this.expect(await isInside(), 'dialog without focus', where)
    const stops = new Set<number>()
    for (let turn = 0; turn < MOST_STOPS; turn++) {
      const { at } = await this.judgeStop(where)
      if (stops.has(at)) break
      stops.add(at)
      await this.press('Tab')
      this.expect(await isInside(), 'focus leaves dialog', where)
    }
    await this.press('Shift+Tab')
    this.expect(await isInside(), 'focus leaves dialog backwards', where)
    await this.press('Escape')
    await dialog.waitFor({ state: 'hidden' }).catch(() => this.expect(false, 'dialog stays', where))
    await waitUntilIdle(page)
    this.expect((await this.stop()).at !== -1, 'focus lost by dialog', `${where}: not on ${opener}`)
  }

  /** A menu opens from its button, supports arrow keys and type-ahead, and closes on Escape. */
  async judgeMenu(where: string): Promise<void> {
    const page = this.#page
    const button = page.locator('[aria-haspopup=menu]:focus')
    await this.press('Enter')
    const items = page.getByRole('menuitem')
    await items.first().waitFor()
    const count = await items.count()
    const current = () => items.evaluateAll((all) => all.findIndex((item) => item.matches(':focus, [data-focus]')))
    await this.press('Home')
    for (let turn = 0; turn < count; turn++) {
      this.expect((await current()) === turn, 'menu item not reached', `${where}: ${turn + 1} of ${count}`)
      const box = await items.nth(turn).boundingBox()
      this.expect(box !== null && (await showsFocusRing(page, box)), 'menu item not visible', `${where}: ${turn + 1}`)
      await this.press('ArrowDown')
    }
    await this.press('Home')
    const last = (await items.nth(count - 1).textContent())?.trim() ?? ''
    await page.keyboard.type(last.slice(0, 4).toLowerCase())
    this.expect(
      (await items.nth(await current()).textContent())?.trim().slice(0, 4) === last.slice(0, 4),
      'not found by typing',
      where,
    )
    await this.press('Escape')
    await items.first().waitFor({ state: 'hidden' })
    await waitUntilIdle(page)
    this.expect((await button.count()) === 1, 'focus lost by menu', where)
  }
}

declare global {
  interface Window {
    numberOf?: (element: Element) => number
  }
}

/** Runs in the page. */
function hasArrived(): boolean {
  return document.activeElement !== document.body && document.activeElement !== null
}

/** Runs in the page. */
function describeFocus(): Stop {
  const element = document.activeElement
  const nothing = { x: 0, y: 0, width: 0, height: 0 }
  const nowhere = { at: -1, html: '', box: nothing, focusRing: nothing, under: '', isOffScreen: false }
  if (!element || element === document.body || element === document.documentElement) return nowhere
  // A checkbox drawn by its label is visible there.
  const label = element instanceof HTMLInputElement && element.offsetWidth < 2 ? element.labels?.[0] : undefined
  const { x, y, width, height } = (label ?? element).getBoundingClientRect()
  const left = Math.max(x, 0)
  const top = Math.max(y, 0)
  const right = Math.min(x + width, innerWidth)
  const bottom = Math.min(y + height, innerHeight)
  const isOffScreen = right - left < 1 || bottom - top < 1
  const points = [0.5, 0.15, 0.85].map(
    (share) => [left + (right - left) * share, top + (bottom - top) * share] as const,
  )
  const over = points.map(([atX, atY]) => document.elementFromPoint(atX, atY))
  const isOwn = (found: Element | null) =>
    found !== null && (element.contains(found) || found.contains(element) || label?.contains(found) === true)
  const hiding = over.filter((found) => !isOwn(found))
  const first = hiding[0]
  const hasFocusRing = (box: Element, pseudo?: string) => getComputedStyle(box, pseudo).outlineStyle !== 'none'
  let ringed: Element | null = label ?? element
  while (ringed && !hasFocusRing(ringed)) ringed = ringed.parentElement
  // A link may cover its card with a pseudo-element.
  if (!ringed && hasFocusRing(element, '::after')) ringed = (element as HTMLElement).offsetParent
  const focusRing = (ringed ?? label ?? element).getBoundingClientRect()
  return {
    at: window.numberOf?.(element) ?? -1,
    html: element.outerHTML.replace(/\s+/g, ' ').slice(0, 110),
    box: { x, y, width, height },
    focusRing: { x: focusRing.x, y: focusRing.y, width: focusRing.width, height: focusRing.height },
    under: isOffScreen || hiding.length < 2 || !first ? '' : `${first.localName}.${first.className}`,
    isOffScreen,
  }
}

/** Runs in the page. What Tab must reach: for a group navigated with arrows, its one tab stop. */
function listTabbable(tabbable: string): { at: number; html: string }[] {
  return [...document.querySelectorAll<HTMLElement>(tabbable)].flatMap((element) => {
    const isOff = element.matches(':disabled') || element.tabIndex < 0 || element.closest('[inert]') !== null
    const isOther = element instanceof HTMLInputElement && element.type === 'radio' && !element.checked
    if (isOff || isOther || !element.checkVisibility({ visibilityProperty: true })) return []
    return [{ at: window.numberOf?.(element) ?? -1, html: element.outerHTML.replace(/\s+/g, ' ').slice(0, 110) }]
  })
}
