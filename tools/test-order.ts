import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Journeys that advance the clock of the whole site and so affect later ones. */
const PUTS_THE_CLOCK_ON = /membership-life\.test\.ts$/

/** Journeys that depend on the real date: they must run before the clock is moved. */
const NEEDS_THE_REAL_DAY = /console[^/]*\.test\.ts$/

/** Vitest's own order, which depends on earlier runs, except for journeys that must run last or first. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLast = ({ moduleId }: TestSpecification) => PUTS_THE_CLOCK_ON.test(moduleId)
    const isFirst = ({ moduleId }: TestSpecification) => NEEDS_THE_REAL_DAY.test(moduleId)
    const between = sorted.filter((file) => !isLast(file) && !isFirst(file))
    return [...sorted.filter(isFirst), ...between, ...sorted.filter(isLast)]
  }

  /** Parts that take about as long: long journeys are long files. Vitest would split them by their names. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {}
    const parts = Array.from({ length: count }, () => ({ bytes: 0, files: [] as TestSpecification[] }))
    const largestFirst = files
      .map((file) => ({ file, bytes: statSync(file.moduleId).size }))
      .sort((a, b) => b.bytes - a.bytes || (a.file.moduleId < b.file.moduleId ? -1 : 1))
    for (const { file, bytes } of largestFirst) {
      const [lightest] = parts.toSorted((a, b) => a.bytes - b.bytes)
      lightest?.files.push(file)
      if (lightest) lightest.bytes += bytes
    }
    return parts[index - 1]?.files ?? []
  }
}
