import type { CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { profileDirectory, type Profile } from '#server/config/profiles.ts'
import { credentialKindsOf } from '#server/features/content-store/kinds/credential-kinds.kinds.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'

/** The kinds of credentials of a starter profile, as its sites have them. */
export function credentialKindsOfProfile(profile: Profile): CredentialKind[] {
  return credentialKindsOf(readContentFiles(profileDirectory(profile)).records)
}
