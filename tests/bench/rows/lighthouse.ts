import { agree, startLighthouse, type Look } from '../lighthouse.ts'
import { getBrotli } from '../raw-response.ts'
import type { BenchRow } from '../row.ts'
import { sitePages, type SitePage } from '../site-pages.ts'
import { median, number } from '../statistics.ts'

interface Looked extends SitePage {
  looks: Look[]
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const FAST_PAGES = ['/', '/become-a-member']

export const row: BenchRow = {
  name: 'lighthouse',
  title: 'Lighthouse, mobile',
  async run({ site, fast, count, temporaryFolder, afterwards }) {
    const { url } = await site()
    const browser = await startLighthouse(temporaryFolder())
    afterwards(() => browser.close())
    const chosen = sitePages.filter(({ path }) => !fast || FAST_PAGES.includes(path))
    const pages = chosen.map((page): Looked => ({ ...page, looks: [] }))
    for (const { path } of pages) await getBrotli(url + path)
    for (let round = 0; round < count(3, 1); round++) {
      for (const { path, indexed, looks } of pages) {
        if (agree(looks)) continue
        looks.push(await browser.look(url + path, indexed ? CATEGORIES : CATEGORIES.filter((name) => name !== 'seo')))
      }
    }
    const categories = [...new Set(pages.flatMap(({ looks }) => Object.keys(looks[0]?.scores ?? {})))]
    const slowest = worst(pages, ({ largestPaint }) => largestPaint)
    const jumpiest = worst(pages, ({ layoutShift }) => layoutShift)
    return {
      findings: [
        ...categories.map((category) => ({
          what: `Lighthouse, ${category.replaceAll('-', ' ')}: the lowest page`,
          goal: { is: 'at least' as const, value: 100 },
          unit: '',
          digits: 0,
          rounds: [Math.min(...pages.flatMap((page) => scoreOf(page, category) ?? []))],
        })),
        {
          what: `Largest paint of the slowest page (${slowest.path})`,
          goal: { is: 'at most', value: 1.2 },
          unit: 's',
          digits: 2,
          rounds: slowest.looks.map(({ largestPaint }) => largestPaint / 1_000),
        },
        {
          what: `Layout shift of the jumpiest page (${jumpiest.path})`,
          goal: { is: 'at most', value: 0.01 },
          unit: '',
          digits: 3,
          rounds: jumpiest.looks.map(({ layoutShift }) => layoutShift),
        },
      ],
      tables: [
        { title: `Each page, median of ${count(3, 1)}, or of two that agree`, lines: tableOf(pages, categories) },
      ],
      notes: [
        'Lighthouse 13.5 with its default settings: a simulated phone on slow 4G. Pages that are not indexed have no SEO score. The bot check and the map are stand-ins.',
        ...complaintsOf(pages),
      ],
    }
  },
}

/** The median, as Lighthouse recommends; null for a category that was not scored. */
function scoreOf({ looks }: Looked, category: string): number | null {
  const scores = looks.flatMap(({ scores }) => scores[category] ?? [])
  return scores.length > 0 ? median(scores) : null
}

function worst(pages: readonly Looked[], measure: (look: Look) => number): Looked {
  const ranked = [...pages].sort((a, b) => median(b.looks.map(measure)) - median(a.looks.map(measure)))
  if (!ranked[0]) throw new Error('No page was looked at')
  return ranked[0]
}

function tableOf(pages: readonly Looked[], categories: readonly string[]): (string | number)[][] {
  return [
    ['Page', ...categories, 'Largest paint s', 'Layout shift', 'Blocked ms'],
    ...pages.map((page) => [
      page.path,
      ...categories.map((category) => scoreOf(page, category) ?? 'not judged'),
      number(median(page.looks.map(({ largestPaint }) => largestPaint)) / 1_000, 2),
      number(median(page.looks.map(({ layoutShift }) => layoutShift)), 3),
      number(median(page.looks.map(({ blockingMs }) => blockingMs)), 0),
    ]),
  ]
}

/** Audits that failed in most runs of a page. */
function complaintsOf(pages: readonly Looked[]): string[] {
  const told = new Map<string, string[]>()
  for (const { path, looks } of pages) {
    const counts = new Map<string, number>()
    for (const complaint of looks.flatMap(({ complaints }) => complaints)) {
      const kind = complaint.split(' ').slice(0, 2).join(' ')
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    for (const [kind, count] of counts) if (count > looks.length / 2) told.set(kind, [...(told.get(kind) ?? []), path])
  }
  return [...told].map(([kind, paths]) => `Not full marks: ${kind} on ${paths.join(', ')}.`)
}
