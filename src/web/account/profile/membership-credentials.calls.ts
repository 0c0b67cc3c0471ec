import type { CredentialKind } from '#contract/credentials/credential-kinds.ts'
import {
  firstKind,
  getCredentials,
  listCredentialKinds,
  submitAnswers,
  submitCredentials,
  submitTraining,
  type Credentials,
} from '#contract/public/credentials.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

export interface MemberCredentials {
  /** null if there are none. */
  credentials: Credentials | null
  kinds: CredentialKind[]
}

/** @throws {CallFailure} */
export async function findCredentials(): Promise<MemberCredentials> {
  const [{ credentials }, { kinds }] = await Promise.all([
    callAsMember(getCredentials),
    callAsMember(listCredentialKinds),
  ])
  return { credentials, kinds }
}

/** The same values again answer the officers' question. The first kinds have calls of their own, as long as they have the fields of these. @throws {CallFailure} */
export async function saveCredentials(
  { key, fields }: CredentialKind,
  values: Readonly<Record<string, string>>,
): Promise<Credentials> {
  const first = firstKind(key)
  const hasOnly = (...keys: string[]) =>
    fields
      .map((field) => field.key)
      .toSorted()
      .join(' ') === keys.join(' ')
  const { npi = '', licenceState = '', place = '', endsOn = '' } = values
  const { credentials } =
    first === 'licence' && hasOnly('licenceState', 'npi')
      ? await callAsMember(submitCredentials, { body: { npi, licenceState } })
      : first !== null && first !== 'licence' && hasOnly('endsOn', 'place')
        ? await callAsMember(submitTraining, { body: { stage: first, place, endsOn } })
        : await callAsMember(submitAnswers, { params: { kind: key }, body: { values: { ...values } } })
  return credentials
}

export function credentialsErrorMessage(failure: unknown): string {
  return (
    (failure instanceof CallFailure && failure.serverMessage) ||
    'Your credentials could not be saved. Please try again.'
  )
}
