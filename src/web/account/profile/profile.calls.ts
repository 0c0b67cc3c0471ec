import { updateProfile } from '#contract/public/account-changes.ts'
import { changeEmail } from '#contract/public/account-email.ts'
import type { Profile } from '#contract/public/account.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import type { EditableProfile } from './profile.rules.ts'

/**
 * `seen` is the profile the form was based on, so that a change made in another tab is not overwritten.
 * @throws {CallFailure}
 */
export async function saveProfile(wanted: EditableProfile, seen: EditableProfile): Promise<Profile> {
  return (await callAsMember(updateProfile, { body: { ...wanted, seen } })).profile
}

/** Returns the server's message about the confirmation email. @throws {CallFailure} */
export async function requestEmailChange(body: { email: string; password: string }): Promise<string> {
  return (await callAsMember(changeEmail, { body })).message
}
