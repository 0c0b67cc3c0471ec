import type { z } from 'zod/mini'
import type { CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { profileDirectory, type Profile } from '#server/config/profiles.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { credentialKindsKind, credentialKindsOf } from '#server/features/content-store/kinds/credential-kinds.kinds.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import type { TestApp } from '../test-app.ts'
import { storeRecord } from './stored-records.ts'

/** The kinds of credentials of a starter profile, as its sites have them. */
export function credentialKindsOfProfile(profile: Profile): CredentialKind[] {
  return credentialKindsOf(readContentFiles(profileDirectory(profile)).records)
}

/** Publishes the kinds of a starter profile in place of all others, as it has them or changed. */
export async function publishCredentialKinds(
  { app, database: { db } }: TestApp,
  profile: Profile,
  change: (kind: StoredKind) => StoredKind = (kind) => kind,
): Promise<void> {
  const { records } = readContentFiles(profileDirectory(profile))
  await db.deleteFrom('contentRecord').where('kind', '=', credentialKindsKind.kind).execute()
  for (const { id, value } of records.list(credentialKindsKind))
    await storeRecord(db, credentialKindsKind, change(value), id)
  await db.transaction().execute(incrementContentVersion)
  await app.refreshContent()
}

type StoredKind = z.output<typeof credentialKindsKind.schema>
