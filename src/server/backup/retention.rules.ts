const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Selects the backups to delete. Keeps all of the last hour, the newest of each hour for a day, and the newest of each day (UTC) for `keep` days, so a backup
 * every minute costs about a hundred copies. Days without a backup do not count: a site that was down for a month keeps its old ones. Nothing is kept longer,
 * so that deleted accounts also disappear from backups.
 * @param keep days, at least 1
 */
export function outdatedBackups(madeAt: readonly number[], { now, keep }: { now: number; keep: number }): number[] {
  const daily = newestOfEach(madeAt, DAY_MS).slice(0, keep)
  const hourly = newestOfEach(madeAt, HOUR_MS).filter((instant) => now - instant <= DAY_MS)
  const retained = new Set([...daily, ...hourly])
  return madeAt.filter((instant) => !retained.has(instant) && now - instant > HOUR_MS).sort((a, b) => a - b)
}

/** Returns the newest of each period, newest first. */
function newestOfEach(instants: readonly number[], ms: number): number[] {
  const newest = new Map<number, number>()
  for (const instant of instants) {
    const period = Math.floor(instant / ms)
    newest.set(period, Math.max(instant, newest.get(period) ?? instant))
  }
  return [...newest.values()].sort((a, b) => b - a)
}
