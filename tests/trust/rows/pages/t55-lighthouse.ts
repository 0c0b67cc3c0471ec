import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getBrotli } from '#tests/bench/raw-response.ts'
import { agree, startLighthouse, type LighthouseBrowser, type Look } from '#tests/bench/lighthouse.ts'
import { median } from '#tests/bench/statistics.ts'
import { findPublicPages, type PublicPage } from '#tests/trust/browser/public-pages.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

/** The two cores of the reference machine. */
const AT_ONCE = 2
const ROUNDS = 3
const FULL = 100
/** Only for indexed pages. */
const OF_INDEXED = 'seo'
/** The only category that depends on other load on the machine. */
const OF_SPEED = 'performance'
const CATEGORIES = [OF_SPEED, 'accessibility', 'best-practices', OF_INDEXED]

interface Looked extends PublicPage {
  /** In parallel with another page. */
  looks: Look[]
  /** Alone, for categories without full marks and for speed; empty when all were full. */
  retries: Look[]
}

export const row: TrustRow = {
  id: 'T55',
  promise: 'Lighthouse, mobile',
  gate: true,
  undisturbed: true,
  waits: true,
  target: 'every public route, median of 3: 100 in every category; search engines only where allowed',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const { few, note } = await findPublicPages(world)
    const faults = new Faults()
    const pages = few
      .filter(({ address }) => !address.includes('?'))
      .map((page): Looked => ({ ...page, looks: [], retries: [] }))
    // Warms the cache: only the first reader waits.
    for (const { address } of pages) await getBrotli(world.siteUrl + address)
    const folder = mkdtempSync(join(tmpdir(), 'association-lighthouse-'))
    const browsers: LighthouseBrowser[] = []
    while (browsers.length < AT_ONCE) browsers.push(await startLighthouse(join(folder, String(browsers.length))))
    let repeated: Looked[]
    try {
      await lookTwice(world, pages, browsers)
      repeated = pages.filter(({ looks }) => !looks.every(isFull))
      for (const page of repeated) await lookAlone(world, page, browsers[0])
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
      reached: `${pages.length} pages, two looks at each, side by side, ${repeated.length} with less than full marks measured again one at a time; lowest median: ${lowest.join(', ')}; latest largest paint ${Math.round(Math.max(...paints))} ms (${slowest}); faults: ${faults}`,
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

/** A parallel run may have been slowed by the other page. */
async function lookAlone(world: World, page: Looked, browser: LighthouseBrowser | undefined): Promise<void> {
  if (!browser) return
  const low = CATEGORIES.filter((name) => page.looks.some(({ scores }) => (scores[name] ?? FULL) < FULL))
  const categories = [...new Set([OF_SPEED, ...low])]
  while (page.retries.length < ROUNDS && !agree(page.retries)) {
    page.retries.push(await browser.look(world.siteUrl + page.address, categories))
  }
}

/** Results of runs alone replace those of parallel runs. */
function looksThatCount({ looks, retries }: Looked, category: string): Look[] {
  const isJudged = ({ scores }: Look) => scores[category] !== undefined
  return retries.some(isJudged) ? retries.filter(isJudged) : looks.filter(isJudged)
}

function lookAt({ siteUrl }: World, { address, indexed }: Looked, browser: LighthouseBrowser): Promise<Look> {
  return browser.look(siteUrl + address, indexed ? CATEGORIES : CATEGORIES.filter((name) => name !== OF_INDEXED))
}

function isFull({ scores }: Look): boolean {
  return Object.values(scores).every((score) => score === FULL)
}
