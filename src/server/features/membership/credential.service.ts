import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Credentials } from '#contract/credentials.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { findAccount } from '../account/account.repository.ts'
import { credentialLetter } from './credential.emails.ts'
import {
  decideCredential,
  findCredential,
  insertCredential,
  withdrawWaiting,
  type Credential,
} from './credential.repository.ts'

export interface CredentialService {
  find(accountId: string): Promise<Credentials | null>
  /** The same as before changes nothing, also when it was approved. */
  give(accountId: string, given: { npi: string; licenceState: string }): Promise<Credentials>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
}

export function createCredentialService({
  db,
  clock,
  siteUrl,
  association,
}: {
  db: Kysely<Schema>
  clock: Clock
  siteUrl: string
  association(): Promise<Association>
}): CredentialService {
  return {
    async find(accountId) {
      const found = await findCredential(db, accountId)
      return found && toCredentials(found)
    },

    async give(accountId, { npi, licenceState }) {
      const now = clock.now()
      const credential = await db.transaction().execute(async (tx) => {
        const before = await findCredential(tx, accountId)
        if (before?.npi === npi && before.licenceState === licenceState && before.status !== 'declined') return before
        await withdrawWaiting(tx, accountId)
        await insertCredential(tx, { accountId, npi, licenceState }, now)
        await writeAudit(tx, { actor: accountId, action: 'credentials.given', subjectId: accountId }, now)
        return findCredential(tx, accountId)
      })
      if (!credential) throw new Error('credentials were given and are not there')
      return toCredentials(credential)
    },

    letters: {
      async 'letter.credentials'({ accountId }) {
        const account = await findAccount(db, String(accountId))
        const credential = account && (await findCredential(db, account.id))
        if (!account || !credential || credential.status === 'waiting') return null
        const words = {
          firstName: account.firstName,
          isApproved: credential.status === 'approved',
          reason: credential.evidence,
        }
        return { ...credentialLetter(words, `${siteUrl}/auth/account`, await association()), to: account.email }
      },
    },
  }
}

/** An officer's decision with its evidence, and the letter that tells it. False when somebody decided before. */
export async function decide(
  db: Kysely<Schema>,
  credential: Credential,
  decision: { status: 'approved' | 'declined'; officerId: string; evidence: string },
  now: number,
): Promise<boolean> {
  const { status, officerId, evidence } = decision
  return db.transaction().execute(async (tx) => {
    const isDecided = await decideCredential(tx, credential.id, {
      status,
      decidedBy: officerId,
      evidence,
      decidedAt: now,
    })
    if (!isDecided) return false
    const { accountId } = credential
    const details = { credential: credential.id, evidence }
    await writeAudit(tx, { actor: officerId, action: `credentials.${status}`, subjectId: accountId, details }, now)
    await addToOutbox(
      tx,
      { kind: 'letter.credentials', payload: { accountId }, dedupeKey: `credentials:${credential.id}` },
      now,
    )
    return true
  })
}

function toCredentials({ npi, licenceState, status, givenAt, decidedAt, evidence }: Credential): Credentials {
  return {
    npi,
    licenceState,
    status,
    givenAt: new Date(givenAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    // What was looked at to approve is the officers' business.
    reason: status === 'declined' ? evidence : null,
  }
}
