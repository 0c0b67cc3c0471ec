import { setTimeout as sleep } from 'node:timers/promises'

/** Runs `work` for every item, at most `concurrency` at a time; results are in the items' order. Rejects with the first failure. */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = Array<R>(items.length)
  let next = 0
  async function worker(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}

/** Polls until `look` returns a value; null on timeout. */
export async function until<T>(
  look: () => Promise<T | null | false | undefined>,
  { withinMs = 10_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T | null> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== null && seen !== false && seen !== undefined) return seen
    if (performance.now() > deadline) return null
    await sleep(everyMs)
  }
}

/** The value not exceeded by `share` of all values, such as 0.95; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Area under the ROC curve for distinguishing `b` from `a` by value (Mann-Whitney, ties count half): 0.5 means indistinguishable. */
export function areaUnderCurve(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isB: false })), ...b.map((value) => ({ value, isB: true }))]
  all.sort((left, right) => left.value - right.value)
  let rankSum = 0
  for (let start = 0; start < all.length;) {
    let end = start
    while (end < all.length && all[end]?.value === all[start]?.value) end++
    // Ranks start at 1; equal values share their average rank.
    const rank = (start + 1 + end) / 2
    rankSum += rank * all.slice(start, end).filter(({ isB }) => isB).length
    start = end
  }
  return (rankSum - (b.length * (b.length + 1)) / 2) / (a.length * b.length)
}

/** How often each value occurs, most frequent first, as `200 x 14, 400 x 2`. */
export function tally(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, count]) => `${value} x ${count}`)
    .join(', ')
}
