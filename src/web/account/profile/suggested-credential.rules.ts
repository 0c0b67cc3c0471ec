import { kindsInUse, type CredentialKind } from '#contract/credentials/credential-kinds.ts'

/** The kind with which the form begins: that of the member's level, or else the first. */
export function suggestedCredential(
  kinds: readonly CredentialKind[],
  levelKey: string | undefined,
): CredentialKind | undefined {
  const inUse = kindsInUse(kinds)
  return inUse.find(({ levels }) => levelKey !== undefined && levels.includes(levelKey)) ?? inUse[0]
}
