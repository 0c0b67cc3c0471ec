import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { officerLimits } from '#contract/access.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type {
  Assertion,
  CreationOptions,
  FactorList,
  NewCredential,
  proveByPasskey,
  RequestOptions,
} from '#contract/passkeys.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Log } from '#server/platform/logger.ts'
import { Problem } from '#server/platform/problem.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { lockAccount } from '../account/account.repository.ts'
import type { Factors } from './factors.ts'
import type { OfficerService } from './officer.service.ts'
import { createPasskeyCheck } from './passkey-check.ts'
import {
  deletePasskey,
  findPasskey,
  findPasskeys,
  keepChallenge,
  keepPasskey,
  notePasskeyUse,
  setPasskeyName,
  takeChallenge,
  type Passkey,
  type Purpose,
} from './passkey.repository.ts'
import {
  challengeIn,
  creationOptions,
  handleOf,
  isInTurn,
  knownTransports,
  relyingPartyOf,
  requestOptions,
} from './passkey.rules.ts'
import { countRecoveryCodes, endOtherProofs, recordProof } from './second-factor.repository.ts'

interface NamedCredential {
  name: string
  credential: NewCredential
}

export interface PasskeyService {
  /** For whoever has no second factor. @throws Problem NOT_AN_OFFICER, INVALID_INPUT for the wrong password, PASSWORD_TOO_SHORT, SECOND_FACTOR_EXISTS */
  beginFirst(caller: Caller, password: string): Promise<CreationOptions>
  /** Keeps it and answers recovery codes. @throws Problem NOT_AN_OFFICER, SECOND_FACTOR_EXISTS, PASSKEY_REFUSED, PASSKEY_TOO_LATE, PASSKEY_KNOWN */
  confirmFirst(caller: Caller, given: NamedCredential): Promise<string[]>
  /** @throws Problem NOT_AN_OFFICER, SECOND_FACTOR_REQUIRED when there is no passkey */
  ask(caller: Caller): Promise<RequestOptions>
  /** Opens the console to this session. @throws Problem PASSKEY_TOO_LATE, PASSKEY_REFUSED, PASSKEY_OUT_OF_TURN, RATE_LIMITED after too many refused ones */
  prove(caller: Caller, credential: Assertion): Promise<ReplyOf<typeof proveByPasskey>>
  /** @throws Problem PASSKEYS_FULL */
  begin(caller: Caller): Promise<CreationOptions>
  /** @throws Problem PASSKEY_REFUSED, PASSKEY_TOO_LATE, PASSKEY_KNOWN, PASSKEYS_FULL */
  add(caller: Caller, given: NamedCredential): Promise<FactorList>
  /** @throws Problem NOT_FOUND */
  rename(accountId: string, id: string, name: string): Promise<FactorList>
  /** Closes the console in all other sessions, one of which may have been opened by it. @throws Problem NOT_FOUND, LAST_FACTOR */
  remove(caller: Caller, id: string): Promise<FactorList>
}

/** Apart from codes, so that whoever guesses those does not keep the owner's passkey out. */
const COUNTED_AS = 'passkey-wrong'

export function createPasskeyService({
  db,
  clock,
  log,
  alarms,
  factors,
  officers,
  siteUrl,
  issuer,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  alarms: Alarms
  factors: Factors
  officers: OfficerService
  siteUrl: string
  /** Shown by devices beside the passkey. */
  issuer(): string
  wakeOutbox(): void
}): PasskeyService {
  const party = relyingPartyOf(siteUrl)
  const check = createPasskeyCheck({ party, log })

  async function challenge({ accountId, sessionId }: Caller, purpose: Purpose): Promise<string> {
    const now = clock.now()
    const text = randomBytes(32).toString('base64url')
    const expiresAt = now + officerLimits.passkeyAnswerMs
    await keepChallenge(db, { hash: hashToken(text), accountId, sessionId, purpose, expiresAt, now })
    return text
  }

  async function toCreate(caller: Caller, person: Officer, purpose: Purpose): Promise<CreationOptions> {
    const known = await findPasskeys(db, caller.accountId)
    if (known.length >= officerLimits.passkeys) throw new Problem('PASSKEYS_FULL')
    return creationOptions({ challenge: await challenge(caller, purpose), party, siteName: issuer(), person, known })
  }

  /** The question an answer belongs to, which nobody can answer again. */
  async function take({ accountId, sessionId }: Caller, clientDataJSON: string, purpose: Purpose): Promise<string> {
    const asked = challengeIn(clientDataJSON)
    if (asked === null) throw new Problem('PASSKEY_REFUSED')
    const isOpen = await takeChallenge(db, { hash: hashToken(asked), accountId, sessionId, purpose, now: clock.now() })
    if (!isOpen) throw new Problem('PASSKEY_TOO_LATE')
    return asked
  }

  async function readNew(caller: Caller, { name, credential }: NamedCredential, purpose: Purpose) {
    const asked = await take(caller, credential.clientDataJSON, purpose)
    const found = await check.readNew(credential, asked)
    if (!found) throw new Problem('PASSKEY_REFUSED')
    const now = clock.now()
    const transports = knownTransports(credential.transports)
    return { ...found, id: newId(now), accountId: caller.accountId, transports, name, createdAt: now }
  }

  async function keep(tx: Kysely<Schema>, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<void> {
    const { accountId, name } = passkey
    if (!(await keepPasskey(tx, passkey))) throw new Problem('PASSKEY_KNOWN')
    const details = { before: null, after: { name } }
    await writeAudit(
      tx,
      { actor: accountId, action: 'passkey.added', subjectId: accountId, details },
      passkey.createdAt,
    )
    await factors.tell(tx, accountId, { kind: 'passkey-added', name })
  }

  async function refuse(accountId: string): Promise<never> {
    await factors.refuseBeyondLimit(COUNTED_AS, accountId, 'hit')
    throw new Problem('PASSKEY_REFUSED')
  }

  /** A right signature with an old count: told to everybody whom it concerns. */
  async function reportOutOfTurn({ id, accountId, name, counter }: Passkey, given: number): Promise<void> {
    const details = { name, kept: counter, given }
    await db.transaction().execute(async (tx) => {
      await writeAudit(
        tx,
        { actor: accountId, action: 'passkey.out-of-turn', subjectId: accountId, details },
        clock.now(),
      )
      await alarms.raise('passkey-copied', { passkey: id, account: accountId }, tx)
    })
    wakeOutbox()
  }

  return {
    async beginFirst(caller, password) {
      const officer = await factors.requirePassword(caller.accountId, password)
      if ((await factors.ways(db, caller.accountId)).length > 0) throw new Problem('SECOND_FACTOR_EXISTS')
      return toCreate(caller, officer, 'first')
    },

    async confirmFirst(caller, given) {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      const passkey = await readNew(caller, given, 'first')
      const codes = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        if ((await factors.ways(tx, accountId)).length > 0) throw new Problem('SECOND_FACTOR_EXISTS')
        await keep(tx, passkey)
        await recordProof(tx, { sessionId, accountId, now: passkey.createdAt })
        return factors.newRecoveryCodes(tx, accountId)
      })
      wakeOutbox()
      return codes
    },

    async ask(caller) {
      await officers.identify(caller.accountId)
      const known = await findPasskeys(db, caller.accountId)
      if (known.length === 0) throw new Problem('SECOND_FACTOR_REQUIRED')
      return requestOptions({ challenge: await challenge(caller, 'prove'), party, known })
    },

    async prove(caller, credential) {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      await factors.refuseBeyondLimit(COUNTED_AS, accountId, 'peek')
      const asked = await take(caller, credential.clientDataJSON, 'prove')
      const passkey = await findPasskey(db, { accountId, credentialId: credential.id })
      const isOwn = credential.userHandle === null || credential.userHandle === handleOf(accountId)
      if (!passkey || !isOwn) return refuse(accountId)
      const given = await check.readAnswer(credential, { challenge: asked, publicKey: passkey.publicKey })
      if (given === null) return refuse(accountId)
      const now = clock.now()
      const late = await db.transaction().execute(async (tx) => {
        // Of two answers at once the second is held against the first.
        await lockAccount(tx, accountId)
        const latest = await findPasskey(tx, { accountId, id: passkey.id })
        if (!latest) throw new Problem('PASSKEY_REFUSED')
        if (!isInTurn({ kept: latest.counter, given })) return latest
        await notePasskeyUse(tx, { id: latest.id, counter: given, now })
        await recordProof(tx, { sessionId, accountId, now })
        return null
      })
      if (late) {
        await reportOutOfTurn(late, given)
        throw new Problem('PASSKEY_OUT_OF_TURN')
      }
      return { secondFactor: await factors.state(caller), recoveryCodesLeft: await countRecoveryCodes(db, accountId) }
    },

    async begin(caller) {
      return toCreate(caller, await officers.identify(caller.accountId), 'add')
    },

    async add(caller, given) {
      const passkey = await readNew(caller, given, 'add')
      await db.transaction().execute(async (tx) => {
        await factors.lockToAdd(tx, caller)
        if ((await findPasskeys(tx, caller.accountId)).length >= officerLimits.passkeys)
          throw new Problem('PASSKEYS_FULL')
        await keep(tx, passkey)
      })
      wakeOutbox()
      return factors.list(caller.accountId)
    },

    async rename(accountId, id, name) {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const passkey = await findPasskey(tx, { accountId, id })
        if (!passkey) throw new Problem('NOT_FOUND')
        if (passkey.name === name) return
        await setPasskeyName(tx, id, name)
        const details = { before: { name: passkey.name }, after: { name } }
        await writeAudit(
          tx,
          { actor: accountId, action: 'passkey.renamed', subjectId: accountId, details },
          clock.now(),
        )
      })
      return factors.list(accountId)
    },

    async remove({ accountId, sessionId }, id) {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const passkey = await findPasskey(tx, { accountId, id })
        if (!passkey) throw new Problem('NOT_FOUND')
        await deletePasskey(tx, id)
        await endOtherProofs(tx, { accountId, sessionId })
        if ((await factors.ways(tx, accountId)).length === 0) throw new Problem('LAST_FACTOR')
        const details = { before: { name: passkey.name }, after: null }
        await writeAudit(
          tx,
          { actor: accountId, action: 'passkey.removed', subjectId: accountId, details },
          clock.now(),
        )
        await factors.tell(tx, accountId, { kind: 'passkey-removed', name: passkey.name })
      })
      wakeOutbox()
      return factors.list(accountId)
    },
  }
}
