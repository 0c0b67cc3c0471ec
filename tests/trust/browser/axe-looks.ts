import type { Page } from 'playwright-core'
import { runAxe, type Judgement } from '#tests/support/browser/axe.ts'
import { AT_200_PERCENT, AT_400_PERCENT, PHONE, waitUntilIdle, WIDE } from './browsing.ts'
import { PaintedContrast } from './contrast.ts'
import { findInvisibleText } from './invisible-text.ts'
import type { Scene } from './scenes.ts'
import { Faults } from '../row.ts'

/** Only colors differ between schemes. */
const Colors = ['color-contrast']

interface Look {
  name: string
  size: { width: number; height: number }
  scheme?: 'dark' | 'forced'
  rules?: string[]
}

const LOOKS: Look[] = [
  { name: '100 %', size: WIDE },
  { name: 'dark', size: WIDE, scheme: 'dark', rules: Colors },
  { name: 'forced colors', size: WIDE, scheme: 'forced' },
  { name: 'phone', size: PHONE, rules: Colors },
  { name: '200 %', size: AT_200_PERCENT },
  { name: '400 %', size: AT_400_PERCENT },
]

/** Judges scenes by axe in every size and scheme, and what axe leaves open by the painted pixels. */
export class AxeLooks {
  readonly faults = new Faults()
  looks = 0
  /** Incomplete results of axe that were decided here. */
  judged = 0
  readonly #painted = new PaintedContrast()

  async judge({ name, page }: Pick<Scene, 'name' | 'page'>): Promise<void> {
    const { faults } = this
    for (const look of LOOKS) {
      await takeLook(page, look)
      this.looks++
      if (look.scheme === 'forced') {
        for (const words of await findInvisibleText(page)) faults.add('unseen in forced colors', `${name}: ${words}`)
        continue
      }
      const judgement = await runAxe(page, look.rules && { runOnly: look.rules })
      const where = `${name}, ${look.name}`
      for (const { rule, html, why } of judgement.violations) faults.add(rule, `${where}: ${html} ${why}`)
      this.judged += await judgeIncomplete(page, { judgement, name, look: look.name, painted: this.#painted, faults })
      const sideways = await page.evaluate(sidewaysScroll)
      faults.expect(sideways <= 0, 'scrolls sideways', `${where}: ${sideways} px`)
    }
  }
}

async function takeLook(page: Page, { size, scheme }: Look): Promise<void> {
  await page.setViewportSize(size)
  await page.emulateMedia({
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    forcedColors: scheme === 'forced' ? 'active' : 'none',
  })
  await waitUntilIdle(page)
}

interface Open {
  judgement: Judgement
  name: string
  look: string
  painted: PaintedContrast
  faults: Faults
}

/** Decides what axe reports as incomplete; anything undecided counts as a violation until someone has checked it. */
async function judgeIncomplete(page: Page, { judgement, name, look, painted, faults }: Open): Promise<number> {
  const where = `${name}, ${look}`
  for (const { rule, target, html, why } of judgement.incomplete) {
    if (Colors.includes(rule)) continue
    const isFine = (await CHECKS[rule]?.(page, target)) ?? false
    faults.expect(isFine, `unjudged ${rule}`, `${where}: ${html} ${why}`)
  }
  const colors = judgement.incomplete.filter(({ rule }) => Colors.includes(rule))
  const targets = colors.map(({ target }) => target)
  const shares = await painted.measure(page, targets, look)
  for (const [at, share] of shares.entries()) {
    const html = colors[at]?.html ?? ''
    if (share !== null) faults.expect(share >= 1, 'contrast as painted', `${where}: ${share.toFixed(2)} ${html}`)
  }
  return judgement.incomplete.length
}

/** By axe rule: returns true when an incomplete result is fine. */
const CHECKS: Record<string, (page: Page, target: string) => Promise<boolean>> = {
  /** A focus guard at the edge of a dialog passes the focus on immediately. */
  'aria-hidden-focus': (page, target) =>
    page.locator(target).evaluate(async (guard: HTMLElement) => {
      const before = document.activeElement
      guard.focus()
      await new Promise((later) => setTimeout(later))
      const isKept = document.activeElement === guard
      if (before instanceof HTMLElement) before.focus()
      return !isKept
    }),
  /** Its target is behind an open dialog; T60 tests that it gets there. */
  'skip-link': (page, target) =>
    page
      .locator(target)
      .evaluate((link: HTMLAnchorElement) => document.getElementById(link.hash.slice(1))?.localName === 'main'),
  /** For an image of a single letter: the first letter of a word in the name. */
  'label-content-name-mismatch': (page, target) =>
    page.locator(target).evaluate((element) => {
      const words = (element.getAttribute('aria-label') ?? '').toLowerCase().split(' ')
      return words.some((word) => word.startsWith(element.textContent.trim().toLowerCase()))
    }),
}

/** Runs in the page. Horizontal overflow in pixels. */
function sidewaysScroll(): number {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth - clientWidth
}
