/** The fields in the order in which errors are reported. */
export const registrationFields = [
  'email',
  'username',
  'firstName',
  'lastName',
  'password',
  'confirmPassword',
  'agree',
] as const
export type RegistrationField = (typeof registrationFields)[number]

/** Why the button is disabled. `marked` counts the fields with a visible error. */
export function disabledReason(marked: number): string {
  if (marked === 0) return 'Fill in every field to continue.'
  return marked === 1 ? 'Correct the marked field to continue.' : `Correct the ${marked} marked fields to continue.`
}
