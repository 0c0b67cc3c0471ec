import type { CredentialKind } from '#contract/credentials/credential-kinds.ts'
import type { Db } from '#server/db/database.ts'
import { readRecords } from './content.queries.ts'
import { credentialKindsKind, credentialKindsOf } from './kinds/credential-kinds.kinds.ts'

/** The kinds of credentials for commands, which have no content in memory. */
export async function readCredentialKinds(db: Db): Promise<CredentialKind[]> {
  return credentialKindsOf(await readRecords(db, [credentialKindsKind]))
}
