import { rsvpBody } from '#contract/rsvp.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

/** Fields of a party in their order; of the meals as many are shown as persons come. */
export const MEAL_FIELDS = [
  'meal0',
  'meal1',
  'meal2',
  'meal3',
  'meal4',
  'meal5',
  'meal6',
  'meal7',
  'meal8',
  'meal9',
  'meal10',
] as const
export const RSVP_FIELDS = ['name', 'email', 'guests', ...MEAL_FIELDS] as const
export type RsvpField = (typeof RSVP_FIELDS)[number]

/** What the form's controls hold, as the contract wants it. */
export function partyOf(values: FormValues<RsvpField>): { name: string; guests: number; meals: string[] } {
  const guests = Number(values.guests || 0)
  const meals = MEAL_FIELDS.slice(0, guests + 1).flatMap((field) => values[field] || [])
  return { name: values.name, guests, meals }
}

/** @param hasMeals whether everybody chooses a meal */
export function checkParty(values: FormValues<RsvpField>, hasMeals: boolean): Problems<RsvpField> {
  const party = partyOf(values)
  const { name, email } = problemsOf<'name' | 'email'>(rsvpBody, { ...party, email: values.email })
  const problems: Problems<RsvpField> = { ...(name && { name }), ...(email && { email }) }
  if (!hasMeals) return problems
  for (const field of MEAL_FIELDS.slice(0, party.guests + 1)) {
    if (values[field] === '') problems[field] = 'Please choose a meal'
  }
  return problems
}
