import { profileBody } from '#contract/account-changes.ts'
import type { Profile } from '#contract/account.ts'
import { problemsOf, type FormValues, type Problems } from '#web/features/forms/problems.rules.ts'

/** In the order in which errors are reported; named as in the request. */
export const PROFILE_FIELDS = ['username', 'name.first', 'name.last'] as const
type ProfileField = (typeof PROFILE_FIELDS)[number]

/** What of a profile can be changed here. */
export type EditableProfile = Pick<Profile, 'username' | 'name'>

export function profileOf(values: FormValues<ProfileField>): EditableProfile {
  return { username: values.username, name: { first: values['name.first'], last: values['name.last'] } }
}

/** The profile form's rules. */
export function checkProfile(values: FormValues<ProfileField>): Problems<ProfileField> {
  return problemsOf(profileBody, profileOf(values))
}
