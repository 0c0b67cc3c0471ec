import { changePassword } from '#contract/public/account-changes.ts'
import {
  listDevices,
  signOutDevice as signOutDeviceEndpoint,
  signOutEverywhere,
  type Device,
} from '#contract/public/account-devices.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import { getSession, logIn } from '#web/session/session.ts'

// All functions here throw {CallFailure}.

/** Logs out every other device; this one continues with the new token. */
export async function savePassword(body: { currentPassword: string; newPassword: string }): Promise<void> {
  storeToken((await callAsMember(changePassword, { body })).token)
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

function storeToken(token: string): void {
  logIn({ token, user: getSession().user ?? undefined })
}
