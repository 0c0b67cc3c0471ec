import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Journeys that put the clock of the whole site on: whatever comes after them would live in another year. */
const PUTS_THE_CLOCK_ON = /membership-life\.test\.ts$/

/** Journeys about what lies ahead of the real day: nobody may have put the clock on before. */
const NEEDS_THE_REAL_DAY = /console[^/]*\.test\.ts$/

/** Vitest's own order, which depends on earlier runs, but for journeys that others must not follow, or that must not follow others. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLast = ({ moduleId }: TestSpecification) => PUTS_THE_CLOCK_ON.test(moduleId)
    const isFirst = ({ moduleId }: TestSpecification) => NEEDS_THE_REAL_DAY.test(moduleId)
    const between = sorted.filter((file) => !isLast(file) && !isFirst(file))
    return [...sorted.filter(isFirst), ...between, ...sorted.filter(isLast)]
  }
}
