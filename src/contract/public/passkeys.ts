import * as z from 'zod/mini'
import { officerLimits } from '../access.ts'
import { ownPasswordField, secondFactorReply, recoveryCodes } from '../console/console.ts'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Passkeys of officers (WebAuthn): adding the first one, authenticating with one, and managing the list. */

/** Bytes as encoded by WebAuthn in JSON. */
const bytesField = (max: number) =>
  z
    .string(messages.officer.passkeyUnreadable)
    .check(
      z.minLength(1, messages.officer.passkeyUnreadable),
      z.maxLength(max, messages.officer.passkeyUnreadable),
      z.regex(/^[A-Za-z0-9_-]+$/, messages.officer.passkeyUnreadable),
    )

/** 1,023 bytes, the maximum in WebAuthn. */
const credentialId = bytesField(1_364)
const clientData = bytesField(8_192)
const kind = z.literal('public-key')

export const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
export type Transport = (typeof TRANSPORTS)[number]

const knownCredential = z.object({ id: z.string(), type: kind, transports: z.array(z.enum(TRANSPORTS)) })

/** The properties of WebAuthn's `PublicKeyCredentialCreationOptionsJSON` that we use. */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: kind, alg: z.int() })),
  timeout: z.int(),
  /** Existing passkeys of this account, so that a device is not added twice. */
  excludeCredentials: z.array(knownCredential),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    requireResidentKey: z.literal(false),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof creationOptions>

/** The properties of WebAuthn's `PublicKeyCredentialRequestOptionsJSON` that we use. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  allowCredentials: z.array(knownCredential),
  timeout: z.int(),
  userVerification: z.literal('required'),
})
export type RequestOptions = z.infer<typeof requestOptions>

const newCredential = z.object({
  id: credentialId,
  clientDataJSON: clientData,
  attestationObject: bytesField(32_768),
  /** Transports reported by the browser; unknown values are dropped. */
  transports: z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16)),
})
export type NewCredential = z.infer<typeof newCredential>

const assertion = z.object({
  id: credentialId,
  clientDataJSON: clientData,
  authenticatorData: bytesField(8_192),
  signature: bytesField(4_096),
  /** The owner of the passkey, if the device reports it. */
  userHandle: z.nullable(bytesField(128)),
})
export type Assertion = z.infer<typeof assertion>

const nameField = lineField(messages.officer.passkeyName, 200).check(
  z.maxLength(officerLimits.passkeyNameMax, messages.officer.passkeyNameLong),
)

export const beginFirstPasskey = endpoint({
  name: 'beginFirstPasskey',
  method: 'POST',
  path: '/api/console/second-factor/passkey/begin',
  access: 'member',
  summary: 'Get the options to create the first passkey, for an officer without a second factor',
  body: z.object({ password: ownPasswordField }),
  reply: creationOptions,
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_EXISTS', 'PASSWORD_TOO_SHORT'],
})

export const confirmFirstPasskey = endpoint({
  name: 'confirmFirstPasskey',
  method: 'POST',
  path: '/api/console/second-factor/passkey/confirm',
  access: 'member',
  summary: 'Save the first passkey and open the console; returns recovery codes, shown only now',
  body: z.object({ name: nameField, credential: newCredential }),
  reply: recoveryCodes,
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_EXISTS', 'PASSKEY_REFUSED', 'PASSKEY_TOO_LATE', 'PASSKEY_KNOWN'],
})

export const getPasskeyChallenge = endpoint({
  name: 'askForPasskey',
  method: 'POST',
  path: '/api/console/second-factor/passkey/ask',
  access: 'member',
  summary: 'Get a challenge for the caller’s passkeys, valid once and for five minutes',
  body: z.object({}),
  reply: requestOptions,
  failures: ['NOT_AN_OFFICER', 'SECOND_FACTOR_REQUIRED'],
})

export const verifyPasskey = endpoint({
  name: 'proveByPasskey',
  method: 'POST',
  path: '/api/console/second-factor/passkey/prove',
  access: 'member',
  summary: 'Open the console for this session with a passkey',
  body: z.object({ credential: assertion }),
  reply: secondFactorReply,
  failures: ['NOT_AN_OFFICER', 'PASSKEY_REFUSED', 'PASSKEY_TOO_LATE', 'PASSKEY_OUT_OF_TURN'],
})

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
})
export type Passkey = z.infer<typeof passkey>

const factorList = z.object({
  passkeys: z.array(passkey),
  app: z.nullable(z.object({ since: z.string() })),
  recoveryCodesLeft: z.int(),
})
export type FactorList = z.infer<typeof factorList>

export const listFactors = endpoint({
  name: 'listFactors',
  method: 'GET',
  path: '/api/console/passkeys',
  access: 'officer',
  permission: 'console.look',
  summary: 'List the caller’s second factors: passkeys, authenticator app, recovery codes',
  reply: factorList,
  failures: [],
})

export const beginPasskey = endpoint({
  name: 'beginPasskey',
  method: 'POST',
  path: '/api/console/passkeys/begin',
  access: 'officer',
  permission: 'console.look',
  requiresFreshFactor: true,
  summary: 'Get the options to create another passkey',
  body: z.object({}),
  reply: creationOptions,
  failures: ['PASSKEYS_FULL'],
})

export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/console/passkeys',
  access: 'officer',
  permission: 'console.look',
  requiresFreshFactor: true,
  summary: 'Save another passkey and email its owner',
  body: z.object({ name: nameField, credential: newCredential }),
  reply: factorList,
  status: 201,
  failures: ['PASSKEY_REFUSED', 'PASSKEY_TOO_LATE', 'PASSKEY_KNOWN', 'PASSKEYS_FULL'],
})

const ofOne = z.object({ id: lineField(messages.text.unreadable, 64) })

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  method: 'PUT',
  path: '/api/console/passkeys/:id',
  access: 'officer',
  permission: 'console.look',
  summary: 'Rename a passkey',
  params: ofOne,
  body: z.object({ name: nameField }),
  reply: factorList,
  failures: ['NOT_FOUND'],
})

export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/api/console/passkeys/:id',
  access: 'officer',
  permission: 'console.look',
  requiresFreshFactor: true,
  summary: 'Remove a passkey and email its owner; rejected for the last second factor',
  params: ofOne,
  reply: factorList,
  failures: ['NOT_FOUND', 'LAST_FACTOR'],
})

export const removeAuthenticator = endpoint({
  name: 'removeAuthenticator',
  method: 'DELETE',
  path: '/api/console/second-factor/app',
  access: 'officer',
  permission: 'console.look',
  requiresFreshFactor: true,
  summary: 'Remove the authenticator app of an officer who has a passkey, and email the officer',
  reply: factorList,
  failures: ['NOT_FOUND', 'LAST_FACTOR'],
})
