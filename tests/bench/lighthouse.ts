import lighthouse from 'lighthouse'
import { findBrowser } from '#tests/support/browser.ts'
import { ask } from '#tests/trust/http.ts'
import { until } from '#tests/trust/load.ts'
import { bareEnvironment, findPorts, Program } from './programs.ts'

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

export interface LighthouseBrowser {
  look(url: string, categories: readonly string[]): Promise<Look>
  close(): Promise<void>
}

/**
 * Lighthouse asks a frame that has just gone (the map, when it moves on) to attach to its own frames, and leaves the refusal unhandled: that would end the
 * whole run. Any other rejection ends it as before.
 */
function forgiveVanishedFrames(error: unknown): void {
  if ((error as { protocolMethod?: string }).protocolMethod === 'Target.setAutoAttach') return
  throw error
}

/** Whether two looks gave the same scores: the median of three would be theirs, whatever a third one says. */
export function isSettled(looks: readonly Look[]): boolean {
  const [one, other] = looks
  if (!one || !other) return false
  return Object.entries(one.scores).every(([category, score]) => other.scores[category] === score)
}

/** @param folder for the browser's profile, an empty one */
export async function startLighthouse(folder: string): Promise<LighthouseBrowser> {
  const { executablePath, args } = await findBrowser()
  const [port = 0] = await findPorts(1)
  const words = [
    ...args,
    '--headless=new',
    '--no-first-run',
    '--hide-scrollbars',
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${folder}`,
  ]
  const browser = new Program(executablePath, [...words, 'about:blank'], `${folder}.log`, { env: bareEnvironment() })
  const answers = await until(() => ask(`http://127.0.0.1:${port}`, { path: '/json/version' }).catch(() => null))
  if (!answers) throw new Error(`Chromium does not answer on its port:\n${browser.output}`)
  process.on('unhandledRejection', forgiveVanishedFrames)
  return {
    look: (url, categories) => lookUntilSeen(url, port, categories),
    async close() {
      process.off('unhandledRejection', forgiveVanishedFrames)
      await browser.stop()
    },
  }
}

/** A busy machine now and then loses the beginning of a trace; then Lighthouse itself says to look again. */
async function lookUntilSeen(url: string, port: number, categories: readonly string[]): Promise<Look> {
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
