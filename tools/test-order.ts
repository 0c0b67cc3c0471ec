import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Journeys that put the clock of the whole site on: whatever comes after them would live in another year. */
const PUTS_THE_CLOCK_ON = /membership-life\.test\.ts$/

/** Vitest's own order, which depends on earlier runs, but for journeys that others must not follow. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLast = ({ moduleId }: TestSpecification) => PUTS_THE_CLOCK_ON.test(moduleId)
    return [...sorted.filter((file) => !isLast(file)), ...sorted.filter(isLast)]
  }
}
