import { officerLimits } from '#contract/access.ts'
import { PARTS, type Part } from '#contract/parts.ts'
import { messages } from '#contract/messages.ts'
import { beginSetup, STARTER_PROFILES, type StarterProfile } from '#contract/setup/first-steps.ts'
import { validate, type FieldErrors, type FormValues } from '#web/forms/validate.rules.ts'

export const FIRST_STEPS_FIELDS = [
  'associationName',
  'shortName',
  'city',
  'country',
  'currency',
  'timeZone',
  'profile',
  ...PARTS.map((part) => `part-${part}` as const),
  'firstName',
  'lastName',
  'email',
  'username',
  'password',
  'confirmPassword',
] as const
export type FirstStepsField = (typeof FIRST_STEPS_FIELDS)[number]

export const PROFILE_NAMES: Record<StarterProfile, string> = {
  neutral: 'Any association',
  physicians: 'Physicians',
  engineers: 'Engineers',
}

export const PART_NAMES: Record<Part, string> = {
  events: 'Events and RSVPs',
  newsletter: 'Newsletter',
  sponsors: 'Sponsors',
  clinic: 'Free clinic',
  forum: 'Students and residents',
  scholarships: 'Scholarships',
}

/** What is sent, from the values of the form. */
export function readFirstSteps(values: FormValues<FirstStepsField>) {
  const { associationName, shortName, city, currency, timeZone, firstName, lastName, email, username, password } =
    values
  return {
    associationName,
    shortName,
    city,
    country: values.country.trim().toUpperCase(),
    currency,
    timeZone,
    profile: STARTER_PROFILES.find((known) => known === values.profile) ?? 'neutral',
    partsOff: PARTS.filter((part) => values[`part-${part}`] !== 'on'),
    firstName,
    lastName,
    email,
    username,
    password,
  }
}

export function checkFirstSteps(values: FormValues<FirstStepsField>): FieldErrors<FirstStepsField> {
  const { body } = beginSetup
  const problems: FieldErrors<FirstStepsField> = body ? validate(body, readFirstSteps(values)) : {}
  if (!problems.password && values.password.length < officerLimits.passwordMin)
    problems.password = messages.officer.passwordShort
  if (values.confirmPassword !== values.password) problems.confirmPassword = messages.confirmPassword.mismatch
  return problems
}
