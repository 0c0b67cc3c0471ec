import type { HttpResponse } from '#tests/trust/http.ts'
import { percentile } from '#tests/trust/load.ts'
import type { Table } from '../row.ts'
import { number } from '../statistics.ts'

/** A call by name; the path may differ from turn to turn, so that nothing remembers the answer. */
export type Call = [name: string, path: (turn: number) => string]

export interface CallTime {
  name: string
  /** In ms. */
  median: number
  p95: number
}

/** Not counted: what the first calls of a process wait for. */
const WARM_UP = 2

/** Makes each call `turns` times, one after another, each answer read whole. */
export async function measureCalls(
  calls: readonly Call[],
  turns: number,
  get: (path: string) => Promise<HttpResponse>,
): Promise<CallTime[]> {
  const times: CallTime[] = []
  for (const [name, path] of calls) {
    const rounds: number[] = []
    for (let turn = -WARM_UP; turn < turns; turn++) {
      const { ms } = await get(path(turn + WARM_UP + 1))
      if (turn >= 0) rounds.push(ms)
    }
    times.push({ name, median: percentile(rounds, 0.5), p95: percentile(rounds, 0.95) })
  }
  return times
}

export function slowestOf(times: readonly CallTime[]): CallTime | undefined {
  return times.toSorted((one, other) => other.p95 - one.p95)[0]
}

export function tableOfTimes(title: string, heading: string, times: readonly CallTime[]): Table {
  return {
    title,
    lines: [
      [heading, 'Median', 'p95'],
      ...times.map(({ name, median, p95 }) => [name, number(median, 1), number(p95, 1)]),
    ],
  }
}
