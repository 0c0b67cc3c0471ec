import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBrotli } from '#tests/bench/exact-answer.ts'
import { isSettled, startLighthouse, type LighthouseBrowser, type Look } from '#tests/bench/lighthouse.ts'
import { median } from '#tests/bench/statistics.ts'
import { findPublicPages, type PublicPage } from '../public-pages.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

/** Of the two cores of the machine the figures hold on. */
const AT_ONCE = 2
const ROUNDS = 3
const FULL = 100
/** Only for pages that search engines are to find. */
const OF_INDEXED = 'seo'
/** Only its marks depend on what else the machine does. */
const OF_SPEED = 'performance'
const CATEGORIES = [OF_SPEED, 'accessibility', 'best-practices', OF_INDEXED]

interface Looked extends PublicPage {
  /** Beside another page. */
  looks: Look[]
  /** By itself, of the categories that had less than full marks and of speed; none when all were full. */
  anew: Look[]
}

export const row: TrustRow = {
  id: 'T55',
  promise: 'Lighthouse, mobile',
  gate: true,
  undisturbed: true,
  waits: true,
  target: 'every public route, median of 3: 100 in every category; search engines only where they are let in',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const { few, note } = await findPublicPages(world)
    const faults = new Faults()
    const pages = few
      .filter(({ address }) => !address.includes('?'))
      .map((page): Looked => ({ ...page, looks: [], anew: [] }))
    // As every reader but the first gets them.
    for (const { address } of pages) await getBrotli(world.siteUrl + address)
    const folder = mkdtempSync(join(tmpdir(), 'association-lighthouse-'))
    const browsers: LighthouseBrowser[] = []
    while (browsers.length < AT_ONCE) browsers.push(await startLighthouse(join(folder, String(browsers.length))))
    let anew: Looked[]
    try {
      await lookTwice(world, pages, browsers)
      anew = pages.filter(({ looks }) => !looks.every(isFull))
      for (const page of anew) await lookAlone(world, page, browsers[0])
    } finally {
      for (const browser of browsers) await browser.close()
      rmSync(folder, { recursive: true, force: true })
    }
    const lowest = CATEGORIES.map((category) => {
      const scores = pages.flatMap((page) => {
        const looks = looksThatCount(page, category)
        if (looks.length === 0) return []
        const score = median(looks.map(({ scores }) => scores[category] ?? 0))
        const complaints = looks.flatMap((look) => look.complaints).filter((text) => text.startsWith(`${category}:`))
        faults.expect(score === FULL, category, `${page.address}: ${score}, ${[...new Set(complaints)].join('; ')}`)
        return [score]
      })
      return `${category} ${Math.min(...scores)} on ${scores.length}`
    })
    const paints = pages.map((page) => median(looksThatCount(page, OF_SPEED).map(({ largestPaint }) => largestPaint)))
    const slowest = pages[paints.indexOf(Math.max(...paints))]?.address
    return {
      passed: faults.count === 0,
      reached: `${pages.length} pages, two looks at each, side by side, ${anew.length} with less than full marks looked at anew one at a time; lowest median: ${lowest.join(', ')}; latest largest paint ${Math.round(Math.max(...paints))} ms (${slowest}); faults: ${faults}`,
      notes: [note, 'Lighthouse 13.5 as it comes, its simulated slow 4G and phone; bot check and map are the stand-ins']
        .filter(Boolean)
        .join('. '),
    }
  },
}

/** Every page twice; the browsers share the pages. */
async function lookTwice(
  world: World,
  pages: readonly Looked[],
  browsers: readonly LighthouseBrowser[],
): Promise<void> {
  const orders = [...pages, ...pages]
  await Promise.all(
    browsers.map(async (browser) => {
      for (let page = orders.shift(); page; page = orders.shift()) page.looks.push(await lookAt(world, page, browser))
    }),
  )
}

/** What was looked at beside another page may have been slowed by it. */
async function lookAlone(world: World, page: Looked, browser: LighthouseBrowser | undefined): Promise<void> {
  if (!browser) return
  const low = CATEGORIES.filter((name) => page.looks.some(({ scores }) => (scores[name] ?? FULL) < FULL))
  const categories = [...new Set([OF_SPEED, ...low])]
  while (page.anew.length < ROUNDS && !isSettled(page.anew)) {
    page.anew.push(await browser.look(world.siteUrl + page.address, categories))
  }
}

/** Looks at a page by itself count instead of those beside another page. */
function looksThatCount({ looks, anew }: Looked, category: string): Look[] {
  const isJudged = ({ scores }: Look) => scores[category] !== undefined
  return anew.some(isJudged) ? anew.filter(isJudged) : looks.filter(isJudged)
}

function lookAt({ siteUrl }: World, { address, indexed }: Looked, browser: LighthouseBrowser): Promise<Look> {
  return browser.look(siteUrl + address, indexed ? CATEGORIES : CATEGORIES.filter((name) => name !== OF_INDEXED))
}

function isFull({ scores }: Look): boolean {
  return Object.values(scores).every((score) => score === FULL)
}
