import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { addRules, arrive, AT_400_PERCENT, dropRules, PHONE, settle, visit, WIDE, withBrowser } from '../browsing.ts'
import { inParallel } from '../load.ts'
import { findPublicPages, type PublicPage } from '../public-pages.ts'
import { Faults, type TrustRow } from '../row.ts'
import { walkScenes, type Scene } from '../scenes.ts'
import type { World } from '../site.ts'
import { findSmallTargets, LEAST_SIZE } from '../targets.ts'
import { findClipped, findOverlaps, SPACING_RULES } from '../text-spacing.ts'

/** Longer than the slowest carousel waits, with the pause after its buttons. */
const WATCH_MS = 9_000
/** Longer than pictures glide, and shorter than the pause after the buttons. */
const AFTER_CLICK_MS = 2_000
/** Watching is waiting. */
const AT_ONCE = 10

export const row: TrustRow = {
  id: 'T62',
  promise: 'Motion, text spacing, targets',
  gate: false,
  target:
    'whatever moves by itself stops by its pause button, under the focus of the keyboard, under the pointer and under reduced motion: 0 moves afterwards; after a click on its next button it goes on by itself; 0 words clipped or overwritten with the spacing of WCAG 1.4.12; 0 targets under 24 px without room around them',
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

/** The addresses on which something moves by itself while nobody touches anything. */
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

/** Each way in which a visitor may ask for stillness (docs/product-rules.md#carousels), alone. */
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
    await settle(guest.page)
    const areas = way === 'pause' || way === 'reduced motion' ? null : await carouselOfNext(guest.page)
    const moves = (await watchMoves(guest.page)).filter((move) => areas === null || move.startsWith(areas))
    faults.expect(moves.length === 0, `moves after ${way}`, `${address}: ${moves.length}, ${moves[0]}`)
    await guest.leave()
  }
}

/** A click leaves pointer and focus on the button: it pauses each carousel of the page for 3 s and must not end it. */
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
    // What the click itself moves is over, and the pause is not.
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

/** Focus and pointer hold the one carousel they are in; another may go on. */
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

/** What changes while nobody does anything: elements that come, go, scroll or change their look, each with its section. */
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
        // Words for readers alone are not seen to move.
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
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    await settle(page)
    const targets = await page.evaluate(findSmallTargets, LEAST_SIZE)
    for (const small of targets.small) faults.add('small target', `${name}, ${size.width} px: ${small}`)
    count += targets.count
  }
  return count
}

async function judgeSpacing({ name, page }: Scene, faults: Faults): Promise<void> {
  for (const size of [WIDE, PHONE, AT_400_PERCENT]) {
    await page.setViewportSize(size)
    await settle(page)
    const before = new Set(await page.evaluate(findOverlaps))
    await addRules(page, SPACING_RULES)
    const where = `${name}, ${size.width} px`
    for (const clipped of await page.evaluate(findClipped)) faults.add('clipped', `${where}: ${clipped}`)
    const overlaps = (await page.evaluate(findOverlaps)).filter((overlap) => !before.has(overlap))
    for (const overlap of overlaps) faults.add('overwritten', `${where}: ${overlap}`)
    await dropRules(page)
  }
}
