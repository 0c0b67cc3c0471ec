import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import {
  addRules,
  arrive,
  AT_400_PERCENT,
  dropRules,
  PHONE,
  waitUntilIdle,
  visit,
  WIDE,
  withBrowser,
} from '#tests/trust/browser/browsing.ts'
import { drawEverything } from '#tests/support/browser/draw-everything.ts'
import { inParallel } from '#tests/trust/load.ts'
import { findPublicPages, type PublicPage } from '#tests/trust/browser/public-pages.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { walkScenes, type Scene } from '#tests/trust/browser/scenes.ts'
import type { World } from '#tests/trust/site.ts'
import { findSmallTargets, LEAST_SIZE } from '#tests/trust/targets.ts'
import { findClipped, findOverlaps, SPACING_RULES } from '#tests/trust/browser/text-spacing.ts'

/** Longer than the slowest carousel's interval, including the pause after its buttons. */
const WATCH_MS = 9_000
/** Longer than a transition, and shorter than the pause after the buttons. */
const AFTER_CLICK_MS = 2_000
/** Most of the time is waiting. */
const AT_ONCE = 10

export const row: TrustRow = {
  id: 'T62',
  promise: 'Motion, text spacing, targets',
  gate: false,
  target:
    'automatic motion stops with its pause button, keyboard focus, hover and reduced motion: 0 movements afterward; after a click on its next button it continues; 0 words clipped or overlapping with the text spacing of WCAG 1.4.12; 0 targets under 24 px without enough spacing',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const { few, note } = await findPublicPages(world)
    const faults = new Faults()
    let targets = 0
    return withBrowser(async (browser) => {
      const movers = await judgeMovement({ browser, world, pages: few, faults })
      const scenes = await walkScenes({ browser, world, pages: few }, async (scene) => {
        targets += await judgeTargets(scene, faults)
        await judgeSpacing(scene, faults)
      })
      return {
        passed: faults.count === 0,
        reached: `${movers.length} pages move by themselves (${movers.join(', ') || 'none'}); ${scenes} scenes, ${targets} targets on two widths, spacing on three; faults: ${faults}`,
        notes: note,
      }
    })
  },
}

interface Watch {
  browser: Browser
  world: World
  pages: readonly PublicPage[]
  faults: Faults
}

/** The pages with automatic motion. */
async function judgeMovement({ browser, world, pages, faults }: Watch): Promise<string[]> {
  const moving = await inParallel(pages, AT_ONCE, async ({ address }) => {
    const guest = await arrive(browser, world)
    const { page } = guest
    await visit(page, address)
    const moves = await watchMoves(page)
    await guest.leave()
    if (moves.length === 0) return null
    await judgeStops({ browser, world, address, faults })
    await judgeGoesOn({ browser, world, address, faults })
    return `${address} ${moves.length} in ${WATCH_MS / 1_000} s`
  })
  return moving.filter((it) => it !== null)
}

/** Each way a visitor can stop motion (docs/product-rules.md#carousels), separately. */
async function judgeStops({
  browser,
  world,
  address,
  faults,
}: Omit<Watch, 'pages'> & { address: string }): Promise<void> {
  const controls = await hasControls(browser, world, address)
  faults.expect(controls, 'moves without controls', address)
  if (!controls) return
  const ways: [string, (page: Page) => Promise<unknown>, 'reduce' | 'no-preference'][] = [
    ['pause', pressEveryPause, 'no-preference'],
    [
      'focus',
      (page) =>
        page
          .getByRole('button', { name: /^next\b/i })
          .first()
          .focus(),
      'no-preference',
    ],
    [
      'pointer',
      (page) =>
        page
          .getByRole('button', { name: /^next\b/i })
          .first()
          .hover(),
      'no-preference',
    ],
    ['reduced motion', async () => {}, 'reduce'],
  ]
  for (const [way, ask, reducedMotion] of ways) {
    const guest = await arrive(browser, world, { reducedMotion })
    await visit(guest.page, address)
    await ask(guest.page)
    await waitUntilIdle(guest.page)
    const areas = way === 'pause' || way === 'reduced motion' ? null : await carouselOfNext(guest.page)
    const moves = (await watchMoves(guest.page)).filter((move) => areas === null || move.startsWith(areas))
    faults.expect(moves.length === 0, `moves after ${way}`, `${address}: ${moves.length}, ${moves[0]}`)
    await guest.leave()
  }
}

/** A click leaves pointer and focus on the button: it pauses each carousel of the page for 3 s and must not stop it. */
async function judgeGoesOn({
  browser,
  world,
  address,
  faults,
}: Omit<Watch, 'pages'> & { address: string }): Promise<void> {
  const guest = await arrive(browser, world)
  await visit(guest.page, address)
  const buttons = guest.page.getByRole('button', { name: /^next\b/i })
  for (let at = 0; at < (await buttons.count()); at++) {
    await buttons.nth(at).click()
    // The motion caused by the click has ended, the pause has not.
    await sleep(AFTER_CLICK_MS)
    const area = await carouselOf(buttons.nth(at))
    const moves = (await watchMoves(guest.page)).filter((move) => move.startsWith(area))
    faults.expect(moves.length > 0, 'does not go on after a click', `${address}: carousel ${at + 1}`)
  }
  await guest.leave()
}

async function hasControls(browser: Browser, world: World, address: string): Promise<boolean> {
  const guest = await arrive(browser, world)
  await visit(guest.page, address)
  const counts = await Promise.all(
    [/^pause\b/i, /^next\b/i].map((name) => guest.page.getByRole('button', { name }).count()),
  )
  await guest.leave()
  return counts.every((count) => count > 0)
}

async function pressEveryPause(page: Page): Promise<void> {
  const pauses = page.getByRole('button', { name: /^pause\b/i })
  while ((await pauses.count()) > 0) await pauses.first().click()
  await page.mouse.move(0, 0)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
}

/** Focus and pointer stop only the carousel they are in; another may continue. */
async function carouselOfNext(page: Page): Promise<string> {
  return carouselOf(page.getByRole('button', { name: /^next\b/i }).first())
}

async function carouselOf(control: Locator): Promise<string> {
  return control.evaluate((button) => {
    const area = button.closest('[aria-roledescription=carousel], section')
    return area
      ? `section ${[...document.querySelectorAll('[aria-roledescription=carousel], section')].indexOf(area)}:`
      : ''
  })
}

/** Changes without any interaction: elements that are added, removed, scrolled or restyled, each with its section. */
async function watchMoves(page: Page): Promise<string[]> {
  return page.evaluate(async (watchMs) => {
    const areas = [...document.querySelectorAll('[aria-roledescription=carousel], section')]
    const moves: string[] = []
    function note(target: EventTarget | null, what: string): void {
      const element = target instanceof Element ? target : document.body
      const area = element.closest('[aria-roledescription=carousel], section')
      moves.push(`section ${area ? areas.indexOf(area) : -1}: ${what} ${element.localName}.${element.className}`)
    }
    const observer = new MutationObserver((records) => {
      for (const { target, type, attributeName } of records) {
        // Text for screen readers does not move visibly.
        if (target instanceof Element && target.closest('[role=status], script, head')) continue
        note(target, `${type} ${attributeName ?? ''}`)
      }
    })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true })
    const onScroll = (event: Event) => note(event.target, 'scroll')
    addEventListener('scroll', onScroll, { capture: true })
    for (const animation of document.getAnimations()) {
      const { target } = animation.effect as KeyframeEffect
      const isSeen = target?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) === true
      if (isSeen && animation.effect?.getComputedTiming().endTime === Infinity) note(target, 'animation')
    }
    await new Promise((over) => setTimeout(over, watchMs))
    observer.disconnect()
    removeEventListener('scroll', onScroll, { capture: true })
    return moves
  }, WATCH_MS)
}

async function judgeTargets({ name, page }: Scene, faults: Faults): Promise<number> {
  let count = 0
  await drawEverything(page)
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    await waitUntilIdle(page)
    const targets = await page.evaluate(findSmallTargets, LEAST_SIZE)
    for (const small of targets.small) faults.add('small target', `${name}, ${size.width} px: ${small}`)
    count += targets.count
  }
  return count
}

async function judgeSpacing({ name, page }: Scene, faults: Faults): Promise<void> {
  await drawEverything(page)
  for (const size of [WIDE, PHONE, AT_400_PERCENT]) {
    await page.setViewportSize(size)
    await waitUntilIdle(page)
    const before = new Set(await page.evaluate(findOverlaps))
    await addRules(page, SPACING_RULES)
    const where = `${name}, ${size.width} px`
    for (const clipped of await page.evaluate(findClipped)) faults.add('clipped', `${where}: ${clipped}`)
    const overlaps = (await page.evaluate(findOverlaps)).filter((overlap) => !before.has(overlap))
    for (const overlap of overlaps) faults.add('overwritten', `${where}: ${overlap}`)
    await dropRules(page)
  }
}
