const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Which backups may go, of those made at these instants. All of the last hour stay, the newest of each hour for a day, and the newest of each day (UTC) for
 * as many days as are to be kept; so a backup every minute costs no more than about a hundred. Days without a backup do not count: a site that
 * stood still for a month keeps its old ones. Nothing is kept longer on purpose: whoever has their account deleted is gone from the backups
 * too, once these days are over.
 * @param keep days, at least 1
 */
export function outdatedBackups(madeAt: readonly number[], { now, keep }: { now: number; keep: number }): number[] {
  const ofDays = newestOfEach(madeAt, DAY_MS).slice(0, keep)
  const ofHours = newestOfEach(madeAt, HOUR_MS).filter((instant) => now - instant <= DAY_MS)
  const kept = new Set([...ofDays, ...ofHours])
  return madeAt.filter((instant) => !kept.has(instant) && now - instant > HOUR_MS).sort((a, b) => a - b)
}

/** Newest first. */
function newestOfEach(instants: readonly number[], ms: number): number[] {
  const newest = new Map<number, number>()
  for (const instant of instants) {
    const period = Math.floor(instant / ms)
    newest.set(period, Math.max(instant, newest.get(period) ?? instant))
  }
  return [...newest.values()].sort((a, b) => b - a)
}
