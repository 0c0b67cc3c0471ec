import type { Kysely } from 'kysely'
import type { decideCredential, WaitingCredential } from '#contract/console-credentials.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { isNpi } from '#contract/npi.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { findAccount } from '../account/account.repository.ts'
import {
  findCredentialById,
  listCredentials,
  listWaitingCredentials,
  type Credential,
} from './credential.repository.ts'
import { decide } from './credential.service.ts'

export interface CredentialDeskService {
  /** Longest waiting first. */
  waiting(): Promise<WaitingCredential[]>
  /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE when somebody decided before */
  decide(by: Officer, id: string, decision: BodyOf<typeof decideCredential>): Promise<void>
}

export function createCredentialDeskService({
  db,
  clock,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  wakeOutbox(): void
}): CredentialDeskService {
  async function describe({ id, accountId, npi, licenceState, givenAt }: Credential): Promise<WaitingCredential> {
    const account = await findAccount(db, accountId)
    const before = (await listCredentials(db, accountId)).find(({ status }) => status === 'declined')
    return {
      id,
      accountId,
      npi,
      licenceState,
      name: account ? `${account.firstName} ${account.lastName}` : accountId,
      email: account?.email ?? '',
      npiFits: isNpi(npi),
      givenAt: new Date(givenAt).toISOString(),
      declinedBefore: before?.evidence ?? null,
    }
  }

  return {
    waiting: async () => Promise.all((await listWaitingCredentials(db)).map(describe)),

    async decide(by, id, { decision, evidence }) {
      const credential = await findCredentialById(db, id)
      if (!credential) throw new Problem('NOT_FOUND')
      const decided = { status: decision, officerId: by.accountId, evidence }
      if (!(await decide(db, credential, decided, clock.now()))) throw new Problem('CHANGED_MEANWHILE')
      wakeOutbox()
    },
  }
}
