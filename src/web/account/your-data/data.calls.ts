import { deleteAccount } from '#contract/public/account-changes.ts'
import { downloadData, listAccountViews, type AccountView, type PersonalData } from '#contract/public/account-data.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

// All functions here throw {CallFailure}.

export function getPersonalData(): Promise<PersonalData> {
  return callAsMember(downloadData)
}

export function getAccountViews(): Promise<AccountView[]> {
  return callAsMember(listAccountViews)
}

/** Returns the message to show afterwards. */
export async function deleteOwnAccount(password: string): Promise<string> {
  return (await callAsMember(deleteAccount, { body: { password } })).message
}
