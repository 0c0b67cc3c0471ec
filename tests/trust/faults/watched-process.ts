import { readdirSync } from 'node:fs'
import type { Program } from './processes.ts'

/** A sample of a process. */
export interface Sample {
  /** Milliseconds since the first sample. */
  atMs: number
  memoryMb: number
  openFiles: number
}

/** null where the system does not report it. */
export function sample(program: Program, atMs: number): Sample | null {
  const memoryMb = program.memoryMb()
  if (memoryMb === null) return null
  try {
    return { atMs, memoryMb, openFiles: readdirSync(`/proc/${program.pid}/fd`).length }
  } catch {
    return null
  }
}

/** The smallest sample of each minute: retained memory, without garbage. */
export function minimumPerMinute(samples: readonly Sample[]): Sample[] {
  const minutes = Map.groupBy(samples, ({ atMs }) => Math.floor(atMs / 60_000))
  return [...minutes.values()].map((some) => some.reduce((least, one) => (one.memoryMb < least.memoryMb ? one : least)))
}

/** Least squares: the hourly growth of `value`. */
export function growthPerHour(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const hours = samples.map(({ atMs }) => atMs / 3_600_000)
  const values = samples.map(value)
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [meanHour, meanValue] = [mean(hours), mean(values)]
  const spread = hours.reduce((sum, hour) => sum + (hour - meanHour) ** 2, 0)
  const together = hours.reduce((sum, hour, at) => sum + (hour - meanHour) * ((values[at] ?? 0) - meanValue), 0)
  return spread === 0 ? 0 : together / spread
}
