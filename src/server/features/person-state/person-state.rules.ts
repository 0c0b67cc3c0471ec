import { personStateLimits } from '#contract/console/people/person-state.ts'

const DAY_MS = 86_400_000

export interface OpenReport {
  source: string
  /** null: by the link of a roll call. */
  reportedBy: string | null
  reportedAt: number
}

/** The different sources of reports. All reports by links of roll calls are one: anyone who has the email can click twice. */
export function sourcesOf(reports: readonly OpenReport[]): string[] {
  const sources = new Map<string, string>()
  for (const { source, reportedBy } of reports) {
    const key = reportedBy === null ? '' : source.trim().toLowerCase()
    if (!sources.has(key)) sources.set(key, source)
  }
  return [...sources.values()]
}

/** When officers may decide that a person died: two sources, and the time to object since the first report; null: the reports do not suffice. */
export function decidableFrom(reports: readonly OpenReport[]): number | null {
  if (sourcesOf(reports).length < personStateLimits.sources) return null
  return Math.min(...reports.map(({ reportedAt }) => reportedAt)) + personStateLimits.objectionDays * DAY_MS
}

/** Until when a decision can be undone; null: at any time. */
export function undoUntil(decision: { state: 'lost' | 'deceased'; decidedAt: number }): number | null {
  return decision.state === 'lost' ? null : decision.decidedAt + personStateLimits.undoDays * DAY_MS
}
