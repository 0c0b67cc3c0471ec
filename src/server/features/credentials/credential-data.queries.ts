import { hasNpi, kindOf, type CredentialKind, type SubmittedAnswers } from '#contract/credentials/credential-kinds.ts'
import { shownAnswers } from '#contract/credentials/shown-answers.ts'
import type { PersonalData } from '#contract/public/account-data.ts'
import { firstKind } from '#contract/public/credentials.ts'
import type { Db } from '#server/db/database.ts'
import { listCredentials } from './credential.queries.ts'

const toIso = (instant: number) => new Date(instant).toISOString()
const toIsoOrNull = (instant: number | null) => (instant === null ? null : toIso(instant))

/**
 * Returns what a person's copy of the data has of credentials, oldest first. The answers have their labels; those of the first kinds have names instead,
 * where the association verifies licenses with an NPI.
 */
export async function listCredentialData(
  db: Db,
  accountId: string,
  kinds: readonly CredentialKind[],
): Promise<PersonalData['credentials']> {
  const hasNames = kinds.some(hasNpi)
  const newestFirst = await listCredentials(db, accountId)
  return newestFirst.reverse().map((row) => ({
    kind: row.kind,
    ...(hasNames && { npi: row.npi || null, licenceState: row.licenceState || null }),
    place: row.place,
    endsOn: row.endsOn,
    givenAt: toIso(row.givenAt),
    status: row.status,
    decidedAt: toIsoOrNull(row.decidedAt),
    askedAt: toIsoOrNull(row.askedAt),
    question: row.question,
    ...(!(hasNames && firstKind(row.kind) && Object.keys(row.answers).length === 0) && {
      answers: answersByLabel(kindOf(kinds, row.kind), row),
    }),
  }))
}

function answersByLabel(kind: CredentialKind, submitted: SubmittedAnswers): Record<string, string> {
  return Object.fromEntries(shownAnswers(kind, submitted).map(({ label, text }) => [label, text]))
}
