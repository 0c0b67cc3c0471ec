/** How a person on a roll is reached. */
export const ROLL_WAYS = ['email', 'post', 'none'] as const
export type RollWay = (typeof ROLL_WAYS)[number]

/** Who is entitled. */
export interface RollRule {
  levels: string[]
  graceDays: number
  states: string[]
}
