import { getCredentials, type Credentials } from '#contract/credentials.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'

/** null when none were given. @throws {CallFailure} */
export async function findCredentials(): Promise<Credentials | null> {
  return (await callAsMember(getCredentials)).credentials
}
