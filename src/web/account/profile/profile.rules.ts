import type { BodyOf } from '#contract/endpoint.ts'
import { profileBody, type updateProfile } from '#contract/public/account-changes.ts'
import type { Profile } from '#contract/public/account.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

/** In the order in which errors are reported; named as in the request. */
export const PROFILE_FIELDS = ['username', 'name.first', 'name.last'] as const
type ProfileField = (typeof PROFILE_FIELDS)[number]

/** The part of a profile that members can edit. */
export type EditableProfile = Required<Omit<BodyOf<typeof updateProfile>, 'seen'>>

export function toEditable({ username, name }: Profile): EditableProfile {
  return { username, name }
}

export function toProfile(values: FormValues<ProfileField>): EditableProfile {
  return { username: values.username, name: { first: values['name.first'], last: values['name.last'] } }
}

export function checkProfile(values: FormValues<ProfileField>): FieldErrors<ProfileField> {
  return validate(profileBody, toProfile(values))
}
