import { rsvpBody } from '#contract/public/rsvp.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

/** The meal fields; one is shown per person. */
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

/** Converts the form's values to a request body. */
export function toParty(values: FormValues<RsvpField>): { name: string; guests: number; meals: string[] } {
  const guests = Number(values.guests || 0)
  const meals = MEAL_FIELDS.slice(0, guests + 1).flatMap((field) => values[field] || [])
  return { name: values.name, guests, meals }
}

/** @param hasMeals whether each person chooses a meal */
export function checkParty(values: FormValues<RsvpField>, hasMeals: boolean): FieldErrors<RsvpField> {
  const party = toParty(values)
  const { name, email } = validate<'name' | 'email'>(rsvpBody, { ...party, email: values.email })
  const problems: FieldErrors<RsvpField> = { ...(name && { name }), ...(email && { email }) }
  if (!hasMeals) return problems
  for (const field of MEAL_FIELDS.slice(0, party.guests + 1)) {
    if (values[field] === '') problems[field] = 'Please choose a meal'
  }
  return problems
}
