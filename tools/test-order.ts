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
}
