import { changePassword, deleteAccount, updateProfile } from '#contract/public/account-changes.ts'
import { downloadData, type PersonalData } from '#contract/public/account-data.ts'
import {
  listDevices,
  signOutDevice as signOutDeviceEndpoint,
  signOutEverywhere,
  type Device,
} from '#contract/public/account-devices.ts'
import { changeEmail } from '#contract/public/account-email.ts'
import type { Profile } from '#contract/public/account.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import { getSession, logIn } from '#web/session/session.ts'
import type { EditableProfile } from './profile.rules.ts'

// All functions here throw {CallFailure}.

/** `seen` is the profile the form was based on, so that a change made in another tab is not overwritten. */
export async function saveProfile(wanted: EditableProfile, seen: EditableProfile): Promise<Profile> {
  return (
    await callAsMember(updateProfile, { body: { ...wanted, seen: { username: seen.username, name: seen.name } } })
  ).profile
}

/** Logs out every other device; this one continues with the new token. */
export async function savePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  storeToken((await callAsMember(changePassword, { body })).token)
}

/** Returns the server's message about the confirmation email. */
export async function requestEmailChange(body: { email: string; password: string }): Promise<string> {
  return (await callAsMember(changeEmail, { body })).message
}

export function getDevices(): Promise<Device[]> {
  return callAsMember(listDevices)
}

export async function signOutDevice(id: string): Promise<void> {
  await callAsMember(signOutDeviceEndpoint, { params: { id } })
}

export async function signOutOtherDevices(): Promise<void> {
  storeToken((await callAsMember(signOutEverywhere)).token)
}

export function getPersonalData(): Promise<PersonalData> {
  return callAsMember(downloadData)
}

/** Returns the message to show afterwards. */
export async function deleteOwnAccount(password: string): Promise<string> {
  return (await callAsMember(deleteAccount, { body: { password } })).message
}

function storeToken(token: string): void {
  logIn({ token, user: getSession().user ?? undefined })
}
