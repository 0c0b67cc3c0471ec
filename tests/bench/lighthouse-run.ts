import lighthouse from 'lighthouse'

const MOST_TRIES = 3

/** One Lighthouse run of a page with mobile settings. */
export interface LighthouseRun {
  /** By category, 0 to 100. */
  scores: Record<string, number>
  /** Milliseconds. */
  largestPaint: number
  layoutShift: number
  blockingMs: number
  /** Failed audits: the name and its message. */
  complaints: string[]
}

export interface LighthouseRequest {
  url: string
  /** The port of the browser's debugger. */
  port: number
  categories: readonly string[]
}

export type LighthouseResponse = { look: LighthouseRun } | { problem: string }

/** A busy machine occasionally loses the beginning of a trace; Lighthouse then asks for another run. */
export async function runLighthouse(url: string, port: number, categories: readonly string[]): Promise<LighthouseRun> {
  for (let tries = 1; ; tries++) {
    try {
      return await look(url, port, categories)
    } catch (error) {
      if (tries === MOST_TRIES) throw error
    }
  }
}

async function look(url: string, port: number, onlyCategories: readonly string[]): Promise<LighthouseRun> {
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
