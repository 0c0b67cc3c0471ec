import { changePassword, deleteAccount, updateProfile } from '#contract/account-changes.ts'
import { downloadData, type PersonalData } from '#contract/account-data.ts'
import { listDevices, signOutDevice, signOutEverywhere, type Device } from '#contract/account-devices.ts'
import { changeEmail } from '#contract/account-email.ts'
import type { Profile } from '#contract/account.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'
import { getSession, logIn } from '#web/features/auth/session.ts'
import type { EditableProfile } from './profile.rules.ts'

// Each of these throws {CallFailure}.

/** `seen` is what the person was looking at: a change that another tab made meanwhile is then not undone. */
export async function saveProfile(wanted: EditableProfile, seen: EditableProfile): Promise<Profile> {
  return (
    await callAsMember(updateProfile, { body: { ...wanted, seen: { username: seen.username, name: seen.name } } })
  ).profile
}

/** Every other device is signed out; this one goes on with the token that comes back. */
export async function savePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  keepToken((await callAsMember(changePassword, { body })).token)
}

/** The server's sentence about the letter that is on its way. */
export async function askForEmailChange(body: { email: string; password: string }): Promise<string> {
  return (await callAsMember(changeEmail, { body })).message
}

export function getDevices(): Promise<Device[]> {
  return callAsMember(listDevices)
}

export async function endDevice(id: string): Promise<void> {
  await callAsMember(signOutDevice, { params: { id } })
}

export async function endAllDevices(): Promise<void> {
  keepToken((await callAsMember(signOutEverywhere)).token)
}

export function getPersonalData(): Promise<PersonalData> {
  return callAsMember(downloadData)
}

/** The sentence to say when it is done. */
export async function removeAccount(password: string): Promise<string> {
  return (await callAsMember(deleteAccount, { body: { password } })).message
}

function keepToken(token: string): void {
  logIn({ token, user: getSession().user ?? undefined })
}
