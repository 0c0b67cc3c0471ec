import type { AppContext } from '#server/app-context.ts'
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { officerLimits } from '#contract/access.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type {
  Assertion,
  CreationOptions,
  FactorList,
  NewCredential,
  verifyPasskey,
  RequestOptions,
} from '#contract/public/passkeys.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import type { SecondFactors } from './factors.service.ts'
import type { OfficerService } from '../officer.service.ts'
import { createPasskeyVerifier } from './passkey-check.service.ts'
import {
  deletePasskey,
  findPasskey,
  findPasskeys,
  saveChallenge,
  insertPasskey,
  recordPasskeyUse,
  setPasskeyName,
  redeemChallenge,
  type Passkey,
  type ChallengePurpose,
} from './passkey.repository.ts'
import {
  extractChallenge,
  creationOptions,
  userHandleOf,
  isCounterValid,
  knownTransports,
  relyingPartyFor,
  requestOptions,
} from './passkey.rules.ts'
import { countRecoveryCodes, deleteOtherVerifications, recordVerification } from './second-factor.repository.ts'

interface NamedCredential {
  name: string
  credential: NewCredential
}

/** Counted separately from codes, so that guessing codes does not lock out the owner's passkey. */
const LIMIT_KEY = 'passkey-wrong'

export function createPasskeyService(
  ctx: AppContext,
  {
    factors,
    officers,
  }: {
    factors: SecondFactors
    officers: OfficerService
  },
) {
  const { db, clock, alerts, siteUrl, wakeOutbox, settings } = ctx
  const party = relyingPartyFor(siteUrl)
  const check = createPasskeyVerifier(ctx, { party })

  async function issueChallenge({ accountId, sessionId }: Caller, purpose: ChallengePurpose): Promise<string> {
    const now = clock.now()
    const text = randomBytes(32).toString('base64url')
    const expiresAt = now + officerLimits.passkeyAnswerMs
    await saveChallenge(db, { hash: hashToken(text), accountId, sessionId, purpose, expiresAt, now })
    return text
  }

  async function prepareCreation(caller: Caller, person: Officer, purpose: ChallengePurpose): Promise<CreationOptions> {
    const known = await findPasskeys(db, caller.accountId)
    if (known.length >= officerLimits.passkeys) throw new Problem('PASSKEYS_FULL')
    return creationOptions({
      challenge: await issueChallenge(caller, purpose),
      party,
      siteName: settings().association.name,
      person,
      known,
    })
  }

  /** Consumes the challenge of a response, so that it cannot be used again. */
  async function consumeChallenge(
    { accountId, sessionId }: Caller,
    clientDataJSON: string,
    purpose: ChallengePurpose,
  ): Promise<string> {
    const challenge = extractChallenge(clientDataJSON)
    if (challenge === null) throw new Problem('PASSKEY_REFUSED')
    const isOpen = await redeemChallenge(db, {
      hash: hashToken(challenge),
      accountId,
      sessionId,
      purpose,
      now: clock.now(),
    })
    if (!isOpen) throw new Problem('PASSKEY_TOO_LATE')
    return challenge
  }

  async function readNew(caller: Caller, { name, credential }: NamedCredential, purpose: ChallengePurpose) {
    const challenge = await consumeChallenge(caller, credential.clientDataJSON, purpose)
    const found = await check.verifyRegistration(credential, challenge)
    if (!found) throw new Problem('PASSKEY_REFUSED')
    const now = clock.now()
    const transports = knownTransports(credential.transports)
    return { ...found, id: newId(now), accountId: caller.accountId, transports, name, createdAt: now }
  }

  async function addNew(tx: Kysely<Schema>, passkey: Omit<Passkey, 'lastUsedAt'>): Promise<void> {
    const { accountId, name } = passkey
    if (!(await insertPasskey(tx, passkey))) throw new Problem('PASSKEY_KNOWN')
    const details = { before: null, after: { name } }
    await writeAudit(
      tx,
      { actor: accountId, action: 'passkey.added', subjectId: accountId, details },
      passkey.createdAt,
    )
    await factors.notify(tx, accountId, { kind: 'passkey-added', name })
  }

  async function refuse(accountId: string): Promise<never> {
    await factors.requireBelowLimit(LIMIT_KEY, accountId, 'hit')
    throw new Problem('PASSKEY_REFUSED')
  }

  /** Reports a valid signature with an old counter: the passkey may have been copied. */
  async function reportCounterMismatch({ id, accountId, name, counter }: Passkey, given: number): Promise<void> {
    const details = { name, kept: counter, given }
    await db.transaction().execute(async (tx) => {
      await writeAudit(
        tx,
        { actor: accountId, action: 'passkey.out-of-turn', subjectId: accountId, details },
        clock.now(),
      )
      await alerts.raise('passkey-copied', { passkey: id, account: accountId }, tx)
    })
    wakeOutbox()
  }

  return {
    /**
     * For an officer without a second factor.
     * @throws Problem NOT_AN_OFFICER, INVALID_INPUT for a wrong password, PASSWORD_TOO_SHORT, SECOND_FACTOR_EXISTS
     */
    async beginFirst(caller: Caller, password: string): Promise<CreationOptions> {
      const officer = await factors.requirePassword(caller.accountId, password)
      if ((await factors.listKinds(db, caller.accountId)).length > 0) throw new Problem('SECOND_FACTOR_EXISTS')
      return prepareCreation(caller, officer, 'first')
    },

    /**
     * Stores the passkey and returns recovery codes.
     * @throws Problem NOT_AN_OFFICER, SECOND_FACTOR_EXISTS, PASSKEY_REFUSED, PASSKEY_TOO_LATE, PASSKEY_KNOWN
     */
    async confirmFirst(caller: Caller, given: NamedCredential): Promise<string[]> {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      const passkey = await readNew(caller, given, 'first')
      const codes = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        if ((await factors.listKinds(tx, accountId)).length > 0) throw new Problem('SECOND_FACTOR_EXISTS')
        await addNew(tx, passkey)
        await recordVerification(tx, { sessionId, accountId, now: passkey.createdAt })
        return factors.newRecoveryCodes(tx, accountId)
      })
      wakeOutbox()
      return codes
    },

    /** @throws Problem NOT_AN_OFFICER, SECOND_FACTOR_REQUIRED if there is no passkey */
    async requestAssertion(caller: Caller): Promise<RequestOptions> {
      await officers.identify(caller.accountId)
      const known = await findPasskeys(db, caller.accountId)
      if (known.length === 0) throw new Problem('SECOND_FACTOR_REQUIRED')
      return requestOptions({ challenge: await issueChallenge(caller, 'prove'), party, known })
    },

    /**
     * Opens the console for this session.
     * @throws Problem PASSKEY_TOO_LATE, PASSKEY_REFUSED, PASSKEY_OUT_OF_TURN, RATE_LIMITED after too many refused
     * responses
     */
    async prove(caller: Caller, credential: Assertion): Promise<ReplyOf<typeof verifyPasskey>> {
      const { accountId, sessionId } = caller
      await officers.identify(accountId)
      await factors.requireBelowLimit(LIMIT_KEY, accountId, 'peek')
      const challenge = await consumeChallenge(caller, credential.clientDataJSON, 'prove')
      const passkey = await findPasskey(db, { accountId, credentialId: credential.id })
      const isOwn = credential.userHandle === null || credential.userHandle === userHandleOf(accountId)
      if (!passkey || !isOwn) return refuse(accountId)
      const given = await check.verifyAssertion(credential, { challenge, publicKey: passkey.publicKey })
      if (given === null) return refuse(accountId)
      const now = clock.now()
      const outOfOrder = await db.transaction().execute(async (tx) => {
        // Of two concurrent responses, the second is checked against the counter of the first.
        await lockAccount(tx, accountId)
        const latest = await findPasskey(tx, { accountId, id: passkey.id })
        if (!latest) throw new Problem('PASSKEY_REFUSED')
        if (!isCounterValid({ kept: latest.counter, given })) return latest
        await recordPasskeyUse(tx, { id: latest.id, counter: given, now })
        await recordVerification(tx, { sessionId, accountId, now })
        return null
      })
      if (outOfOrder) {
        await reportCounterMismatch(outOfOrder, given)
        throw new Problem('PASSKEY_OUT_OF_TURN')
      }
      return { secondFactor: await factors.state(caller), recoveryCodesLeft: await countRecoveryCodes(db, accountId) }
    },

    /** @throws Problem PASSKEYS_FULL */
    async begin(caller: Caller): Promise<CreationOptions> {
      return prepareCreation(caller, await officers.identify(caller.accountId), 'add')
    },

    /** @throws Problem PASSKEY_REFUSED, PASSKEY_TOO_LATE, PASSKEY_KNOWN, PASSKEYS_FULL */
    async add(caller: Caller, given: NamedCredential): Promise<FactorList> {
      const passkey = await readNew(caller, given, 'add')
      await db.transaction().execute(async (tx) => {
        await factors.lockToAdd(tx, caller)
        if ((await findPasskeys(tx, caller.accountId)).length >= officerLimits.passkeys)
          throw new Problem('PASSKEYS_FULL')
        await addNew(tx, passkey)
      })
      wakeOutbox()
      return factors.list(caller.accountId)
    },

    /** @throws Problem NOT_FOUND */
    async rename(accountId: string, id: string, name: string): Promise<FactorList> {
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

    /**
     * Closes the console in all other sessions, since the removed passkey may have opened one.
     * @throws Problem NOT_FOUND, LAST_FACTOR
     */
    async remove({ accountId, sessionId }: Caller, id: string): Promise<FactorList> {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const passkey = await findPasskey(tx, { accountId, id })
        if (!passkey) throw new Problem('NOT_FOUND')
        await deletePasskey(tx, id)
        await deleteOtherVerifications(tx, { accountId, sessionId })
        if ((await factors.listKinds(tx, accountId)).length === 0) throw new Problem('LAST_FACTOR')
        const details = { before: { name: passkey.name }, after: null }
        await writeAudit(
          tx,
          { actor: accountId, action: 'passkey.removed', subjectId: accountId, details },
          clock.now(),
        )
        await factors.notify(tx, accountId, { kind: 'passkey-removed', name: passkey.name })
      })
      wakeOutbox()
      return factors.list(accountId)
    },
  }
}

export type PasskeyService = ReturnType<typeof createPasskeyService>
