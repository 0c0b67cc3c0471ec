import lighthouse from 'lighthouse'

const MOST_TRIES = 3

/** One look at a page in Lighthouse's mobile setting. */
export interface Look {
  /** By category, 0 to 100. */
  scores: Record<string, number>
  /** Milliseconds. */
  largestPaint: number
  layoutShift: number
  blockingMs: number
  /** What cost points: the audit's name and what it says. */
  complaints: string[]
}

export interface LookOrder {
  url: string
  /** Of the browser's debugger. */
  port: number
  categories: readonly string[]
}

export type LookAnswer = { look: Look } | { problem: string }

/** A busy machine now and then loses the beginning of a trace; then Lighthouse itself says to look again. */
export async function lookAt(url: string, port: number, categories: readonly string[]): Promise<Look> {
  for (let tries = 1; ; tries++) {
    try {
      return await look(url, port, categories)
    } catch (error) {
      if (tries === MOST_TRIES) throw error
    }
  }
}

async function look(url: string, port: number, onlyCategories: readonly string[]): Promise<Look> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'silent',
    disableFullPageScreenshot: true,
    onlyCategories: [...onlyCategories],
  })
  if (!result) throw new Error(`Lighthouse gave no answer for ${url}`)
  const { audits, categories, runtimeError } = result.lhr
  if (runtimeError) throw new Error(`Lighthouse could not look at ${url}: ${runtimeError.message}`)
  const counted = Object.entries(categories).filter(([, { score }]) => score !== null)
  const complaints = counted.flatMap(([name, { auditRefs }]) =>
    auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id]
      if (weight === 0 || audit?.score === null || audit?.score === undefined || audit.score === 1) return []
      return [`${name}: ${id} ${audit.displayValue ?? audit.title}`]
    }),
  )
  return {
    scores: Object.fromEntries(counted.map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)])),
    largestPaint: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    layoutShift: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    blockingMs: audits['total-blocking-time']?.numericValue ?? Number.NaN,
    complaints,
  }
}
