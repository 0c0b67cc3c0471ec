import forge from 'node-forge'
import { createHash, generateKeyPairSync, verify } from 'node:crypto'

const ENDS_AT = new Date('2040-01-01T00:00:00Z')
const UID = '0.9.2342.19200300.100.1.1'

/** The settings for Apple Wallet, with certificates like those of Apple. */
export function makePassSettings({ endsAt = ENDS_AT } = {}) {
  const issuer = makeCertificate([
    { shortName: 'CN', value: 'Apple Worldwide Developer Relations Certification Authority' },
    { shortName: 'OU', value: 'G4' },
  ])
  const pass = makeCertificate(
    [
      { type: UID, value: 'pass.org.example.membership' },
      { shortName: 'CN', value: 'Pass Type ID: pass.org.example.membership' },
      { shortName: 'OU', value: 'A1B2C3D4E5' },
      { shortName: 'O', value: 'The Association' },
    ],
    { issuer, endsAt },
  )
  return {
    APPLE_WALLET_CERTIFICATE: forge.pki.certificateToPem(pass.certificate),
    APPLE_WALLET_PRIVATE_KEY: pass.privateKey,
    APPLE_WALLET_ISSUER_CERTIFICATE: forge.pki.certificateToPem(issuer.certificate),
  }
}

interface Made {
  certificate: forge.pki.Certificate
  privateKey: string
}

function makeCertificate(
  subject: forge.pki.CertificateField[],
  { issuer, endsAt = ENDS_AT }: { issuer?: Made; endsAt?: Date } = {},
): Made {
  // Node makes the keys, since the library takes seconds for them.
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  // A signature names its certificate by issuer and number.
  certificate.serialNumber = issuer ? '02' : '01'
  certificate.validity.notBefore = new Date('2020-01-01T00:00:00Z')
  certificate.validity.notAfter = endsAt
  certificate.setSubject(subject)
  certificate.setIssuer(issuer?.certificate.subject.attributes ?? subject)
  certificate.setExtensions([{ name: 'basicConstraints', cA: !issuer }])
  certificate.sign(forge.pki.privateKeyFromPem(issuer?.privateKey ?? privateKey), forge.md.sha256.create())
  return { certificate, privateKey }
}

/**
 * Reads a pass as a phone does: every file must have the digest that the manifest says, and the manifest the signature of the certificate.
 * @throws Error otherwise
 */
export function readPass(bytes: Buffer, certificatePem: string): Record<string, unknown> {
  const files = readStoredFiles(bytes)
  const manifest = files.get('manifest.json') ?? Buffer.alloc(0)
  const digests = new Map(Object.entries(JSON.parse(manifest.toString()) as Record<string, string>))
  const signed = [...files.keys()].filter((name) => name !== 'manifest.json' && name !== 'signature')
  for (const name of new Set([...signed, ...digests.keys()])) {
    const digest = createHash('sha1')
      .update(files.get(name) ?? '')
      .digest('hex')
    if (digest !== digests.get(name)) throw new Error(`The manifest does not have the digest of ${name}`)
  }
  requireSignature(manifest, files.get('signature') ?? Buffer.alloc(0), certificatePem)
  return { ...(JSON.parse(String(files.get('pass.json'))) as Record<string, unknown>), files: signed.sort() }
}

/** The files of a ZIP archive that does not compress them (section 4.3.7 of its specification). */
function readStoredFiles(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; archive.readUInt32LE(at) === 0x04_03_4b_50;) {
    const size = archive.readUInt32LE(at + 18)
    const nameEnd = at + 30 + archive.readUInt16LE(at + 26)
    const start = nameEnd + archive.readUInt16LE(at + 28)
    files.set(archive.toString('utf8', at + 30, nameEnd), archive.subarray(start, start + size))
    at = start + size
  }
  return files
}

/** Checks a detached signature: its attributes have the digest of the content, and are what is signed (RFC 5652, section 5.4). */
function requireSignature(content: Buffer, signature: Buffer, certificatePem: string): void {
  const message = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(signature.toString('binary')))
  const { rawCapture } = message as unknown as {
    rawCapture: { authenticatedAttributes: forge.asn1.Asn1[]; signature: string }
  }
  const { asn1 } = forge
  const attributes = asn1.toDer(
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SET, true, rawCapture.authenticatedAttributes),
  )
  const signed = Buffer.from(attributes.getBytes(), 'binary')
  if (!signed.includes(createHash('sha1').update(content).digest())) throw new Error('Another content was signed')
  if (!verify('sha1', signed, certificatePem, Buffer.from(rawCapture.signature, 'binary')))
    throw new Error('The signature is not that of the certificate')
}
