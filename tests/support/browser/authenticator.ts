import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/passkeys.ts'

/** Flags of authenticator data (WebAuthn, 6.1). */
const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** What an answer may be given otherwise than a right device and browser would. */
interface Twists {
  origin?: string
  rpId?: string
  challenge?: string
  /** The owner touched the device, and did not show finger, face or PIN. */
  unverified?: boolean
  counter?: number
  crossOrigin?: boolean
  userHandle?: string | null
  /** In place of the ceremony it belongs to. */
  type?: string
  /** Says who made the device, though nobody asked: a certificate that is none. */
  namesMaker?: boolean
}

/** A device that makes passkeys, with the browser in front of it: attestation "none", ECDSA on P-256. Its secrets stay in memory. */
export class SoftwareAuthenticator {
  readonly origin: string
  /** Counts its answers, as hardware keys do; one that shares its passkeys does not. */
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

  /** Answers by the first of the passkeys asked for that it has, or by the one named. */
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

/** As much of CBOR (RFC 8949) as an authenticator speaks. */
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
