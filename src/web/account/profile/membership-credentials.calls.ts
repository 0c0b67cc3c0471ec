import { getCredentials, submitCredentials, submitTraining, type Credentials } from '#contract/public/credentials.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** null if there are none. @throws {CallFailure} */
export async function findCredentials(): Promise<Credentials | null> {
  return (await callAsMember(getCredentials)).credentials
}

/** Resubmits the same credentials, which answers the officers' question. @throws {CallFailure} */
export async function reconfirmCredentials({
  kind,
  npi,
  licenceState,
  place,
  endsOn,
}: Credentials): Promise<Credentials> {
  const { credentials } =
    kind === 'licence'
      ? await callAsMember(submitCredentials, { body: { npi, licenceState } })
      : await callAsMember(submitTraining, { body: { stage: kind, place: place ?? '', endsOn: endsOn ?? '' } })
  return credentials
}

export function credentialsErrorMessage(failure: unknown): string {
  return (
    (failure instanceof CallFailure && failure.serverMessage) ||
    'Your credentials could not be saved. Please try again.'
  )
}
