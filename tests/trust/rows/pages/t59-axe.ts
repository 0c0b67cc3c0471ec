import type { Page } from 'playwright-core'
import { runAxe, type Judgement } from '../axe.ts'
import { AT_200_PERCENT, AT_400_PERCENT, PHONE, settle, WIDE, withBrowser } from '../browsing.ts'
import { PaintedContrast } from '../contrast.ts'
import { findPublicPages } from '../public-pages.ts'
import { Faults, type TrustRow } from '../row.ts'
import { walkScenes } from '../scenes.ts'
import { findUnseenWords } from '../unseen-words.ts'

/** Only the colours differ between schemes. */
const COLOURS = ['color-contrast']

interface Look {
  name: string
  size: { width: number; height: number }
  scheme?: 'dark' | 'forced'
  rules?: string[]
}

const LOOKS: Look[] = [
  { name: '100 %', size: WIDE },
  { name: 'dark', size: WIDE, scheme: 'dark', rules: COLOURS },
  { name: 'forced colours', size: WIDE, scheme: 'forced' },
  { name: 'phone', size: PHONE, rules: COLOURS },
  { name: '200 %', size: AT_200_PERCENT },
  { name: '400 %', size: AT_400_PERCENT },
]

export const row: TrustRow = {
  id: 'T59',
  promise: 'axe',
  gate: true,
  target:
    'every route and state x light, dark, forced colours x 100, 200, 400 %: 0 violations, 0 incomplete left unjudged, nothing scrolls sideways',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const pages = await findPublicPages(world)
    const faults = new Faults()
    const painted = new PaintedContrast()
    let looks = 0
    let judged = 0
    return withBrowser(async (browser) => {
      const scenes = await walkScenes({ browser, world, pages: pages.few }, async ({ name, page }) => {
        for (const look of LOOKS) {
          await takeLook(page, look)
          looks++
          if (look.scheme === 'forced') {
            for (const words of await findUnseenWords(page)) faults.add('unseen in forced colours', `${name}: ${words}`)
            continue
          }
          const judgement = await runAxe(page, look.rules)
          const where = `${name}, ${look.name}`
          for (const { rule, html, why } of judgement.violations) faults.add(rule, `${where}: ${html} ${why}`)
          judged += await judgeIncomplete(page, { judgement, name, look: look.name, painted, faults })
          const sideways = await page.evaluate(sidewaysScroll)
          faults.expect(sideways <= 0, 'scrolls sideways', `${where}: ${sideways} px`)
        }
      })
      return {
        passed: faults.count === 0,
        reached: `${scenes} scenes of ${pages.few.length} addresses, ${looks} looks; ${judged} findings axe leaves open judged by the painted pixels; faults: ${faults}`,
        notes: [
          pages.note,
          'Dark and the phone are judged for colours, forced colours by the painted pixels, the rest for every rule of axe; the page inside the map is not ours',
        ]
          .filter(Boolean)
          .join('. '),
      }
    })
  },
}

async function takeLook(page: Page, { size, scheme }: Look): Promise<void> {
  await page.setViewportSize(size)
  await page.emulateMedia({
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    forcedColors: scheme === 'forced' ? 'active' : 'none',
  })
  await settle(page)
}

interface Open {
  judgement: Judgement
  name: string
  look: string
  painted: PaintedContrast
  faults: Faults
}

/** What axe leaves open is decided here; what no check here can decide is a fault until somebody looked at it. */
async function judgeIncomplete(page: Page, { judgement, name, look, painted, faults }: Open): Promise<number> {
  const where = `${name}, ${look}`
  for (const { rule, target, html, why } of judgement.incomplete) {
    if (COLOURS.includes(rule)) continue
    const isFine = (await CHECKS[rule]?.(page, target)) ?? false
    faults.expect(isFine, `unjudged ${rule}`, `${where}: ${html} ${why}`)
  }
  const colours = judgement.incomplete.filter(({ rule }) => COLOURS.includes(rule))
  const targets = colours.map(({ target }) => target)
  const shares = await painted.measure(page, targets, look)
  for (const [at, share] of shares.entries()) {
    const html = colours[at]?.html ?? ''
    if (share !== null) faults.expect(share >= 1, 'contrast as painted', `${where}: ${share.toFixed(2)} ${html}`)
  }
  return judgement.incomplete.length
}

/** By axe's name of a rule: true when what it asks a person is as it should be. */
const CHECKS: Record<string, (page: Page, target: string) => Promise<boolean>> = {
  /** A guard at the edge of a dialog gives the focus on as soon as it has it. */
  'aria-hidden-focus': (page, target) =>
    page.locator(target).evaluate(async (guard: HTMLElement) => {
      const before = document.activeElement
      guard.focus()
      await new Promise((later) => setTimeout(later))
      const isKept = document.activeElement === guard
      if (before instanceof HTMLElement) before.focus()
      return !isKept
    }),
  /** Where it leads is behind an open dialog; that it leads there is T60's. */
  'skip-link': (page, target) =>
    page
      .locator(target)
      .evaluate((link: HTMLAnchorElement) => document.getElementById(link.hash.slice(1))?.localName === 'main'),
  /** Of a picture of one letter: it begins a word of the name. */
  'label-content-name-mismatch': (page, target) =>
    page.locator(target).evaluate((element) => {
      const words = (element.getAttribute('aria-label') ?? '').toLowerCase().split(' ')
      return words.some((word) => word.startsWith(element.textContent.trim().toLowerCase()))
    }),
}

/** Runs within the page. Pixels that stick out. */
function sidewaysScroll(): number {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth - clientWidth
}
