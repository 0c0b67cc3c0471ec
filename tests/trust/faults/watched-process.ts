import { readdirSync } from 'node:fs'
import type { Program } from './processes.ts'

/** A moment of a process. */
export interface Sample {
  /** Since the first, in milliseconds. */
  atMs: number
  memoryMb: number
  openFiles: number
}

/** null where the system does not tell it this way. */
export function sample(program: Program, atMs: number): Sample | null {
  const memoryMb = program.memoryMb()
  if (memoryMb === null) return null
  try {
    return { atMs, memoryMb, openFiles: readdirSync(`/proc/${program.pid}/fd`).length }
  } catch {
    return null
  }
}

/** Of each minute the sample with the least memory: what is held, without what waits to be cleared away. */
export function leastOfEachMinute(samples: readonly Sample[]): Sample[] {
  const minutes = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / 60_000))
  return [...minutes.values()].map((some) => some.reduce((least, one) => (one.memoryMb < least.memoryMb ? one : least)))
}

/** By least squares: how much `value` grows in an hour. */
export function growthAnHour(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const hours = samples.map(({ atMs }) => atMs / 3_600_000)
  const values = samples.map(value)
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [meanHour, meanValue] = [mean(hours), mean(values)]
  const spread = hours.reduce((sum, hour) => sum + (hour - meanHour) ** 2, 0)
  const together = hours.reduce((sum, hour, at) => sum + (hour - meanHour) * ((values[at] ?? 0) - meanValue), 0)
  return spread === 0 ? 0 : together / spread
}
