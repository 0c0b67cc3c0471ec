import type { Figure } from '#contract/public/association.ts'

/** The figures as visitors see them: one bound to the roll has the count and the day of the last sealed roll, if there is one. */
export function showFigures(
  figures: readonly (Figure & { isFromRoll?: boolean | undefined })[],
  sealed: { people: number; recordDay: string } | null,
): Figure[] {
  return figures.map(({ isFromRoll, value, label, asOf }) =>
    isFromRoll && sealed
      ? { value: sealed.people.toLocaleString('en-US'), label, asOf: sealed.recordDay }
      : { value, label, asOf },
  )
}
