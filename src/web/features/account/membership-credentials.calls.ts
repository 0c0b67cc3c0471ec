import { getCredentials, giveCredentials, giveTraining, type Credentials } from '#contract/credentials.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'

/** null when none were given. @throws {CallFailure} */
export async function findCredentials(): Promise<Credentials | null> {
  return (await callAsMember(getCredentials)).credentials
}

/** Gives the same again, which answers an officers' question: it is still right. @throws {CallFailure} */
export async function sayStillRight({ kind, npi, licenceState, place, endsOn }: Credentials): Promise<Credentials> {
  const { credentials } =
    kind === 'licence'
      ? await callAsMember(giveCredentials, { body: { npi, licenceState } })
      : await callAsMember(giveTraining, { body: { stage: kind, place: place ?? '', endsOn: endsOn ?? '' } })
  return credentials
}

export function explainCredentials(failure: unknown): string {
  return (
    (failure instanceof CallFailure && failure.sentence) || 'Your credentials could not be saved. Please try again.'
  )
}
