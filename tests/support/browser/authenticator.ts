import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/public/passkeys.ts'

/** Flags of authenticator data (WebAuthn, 6.1). */
const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** Deviations from the response of a correct device and browser. */
interface Twists {
  origin?: string
  rpId?: string
  challenge?: string
  /** The user touched the device but was not verified by finger, face or PIN. */
  unverified?: boolean
  counter?: number
  crossOrigin?: boolean
  userHandle?: string | null
  /** Replaces the type of the ceremony. */
  type?: string
  /** Includes an attestation that was not requested, with an invalid certificate. */
  namesMaker?: boolean
}

/** A device that creates passkeys, including the browser: attestation "none", ECDSA on P-256. Its secrets stay in memory. */
export class SoftwareAuthenticator {
  readonly origin: string
  /** Increments its counter, as hardware keys do; a synced passkey does not. */
  counts = true
  counter = 0
  readonly #keys = new Map<string, { key: KeyObject; userHandle: string }>()

  constructor(origin: string) {
    this.origin = origin
  }

  create(options: CreationOptions, twists: Twists = {}): NewCredential {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(32)
    this.#keys.set(id.toString('base64url'), { key: privateKey, userHandle: options.user.id })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const cose = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x ?? '', 'base64url')],
      [-3, Buffer.from(y ?? '', 'base64url')],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const authData = Buffer.concat([
      this.#authData(options.rp.id, twists, HAS_CREDENTIAL),
      Buffer.alloc(16),
      length,
      id,
      cose,
    ])
    const attestation = cborMap([
      ['fmt', twists.namesMaker ? 'fido-u2f' : 'none'],
      ['attStmt', new Map<Cbor, Cbor>(twists.namesMaker ? [['x5c', randomBytes(80)]] : [])],
      ['authData', authData],
    ])
    return {
      id: id.toString('base64url'),
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, twists),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal', 'of-tomorrow'],
    }
  }

  /** Responds with the first requested passkey that it has, or with the named one. */
  get(options: RequestOptions, twists: Twists & { id?: string } = {}): Assertion {
    const id = twists.id ?? options.allowCredentials.find((known) => this.#keys.has(known.id))?.id ?? ''
    const own = this.#keys.get(id)
    if (!own) throw new Error('This device has none of these passkeys')
    const authData = this.#authData(options.rpId, twists)
    const clientData = Buffer.from(this.#clientData('webauthn.get', options.challenge, twists), 'base64url')
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return {
      id,
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, own.key).toString('base64url'),
      userHandle: twists.userHandle === undefined ? own.userHandle : twists.userHandle,
    }
  }

  #authData(rpId: string, { rpId: otherRp, unverified, counter }: Twists, more = 0): Buffer {
    if (this.counts) this.counter++
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.counter)
    const flags = PRESENT | (unverified ? 0 : VERIFIED) | more
    return Buffer.concat([
      createHash('sha256')
        .update(otherRp ?? rpId)
        .digest(),
      Buffer.from([flags]),
      count,
    ])
  }

  #clientData(usual: string, asked: string, { type = usual, challenge = asked, origin, crossOrigin }: Twists): string {
    const told = { type, challenge, origin: origin ?? this.origin, crossOrigin: crossOrigin ?? false }
    return Buffer.from(JSON.stringify(told)).toString('base64url')
  }
}

type Cbor = number | string | Buffer | Map<Cbor, Cbor>

function cborMap(entries: [Cbor, Cbor][]): Buffer {
  return cbor(new Map(entries))
}

/** The part of CBOR (RFC 8949) that authenticators use. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
