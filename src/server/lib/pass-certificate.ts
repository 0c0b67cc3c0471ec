import { createPrivateKey, X509Certificate } from 'node:crypto'

/** A certificate with which Apple lets an association sign passes for its Wallet. */
export interface PassCertificate {
  /** Such as `pass.org.example.membership`. */
  passTypeId: string
  teamId: string
  /** Epoch milliseconds; a pass signed later cannot be added. */
  expiresAt: number
}

/** Reads whom a certificate in PEM was issued to: the identifier of the passes is its UID, the team its organizational unit. Returns null for any other. */
export function readPassCertificate(pem: string): PassCertificate | null {
  const certificate = parse(pem)
  const subject = new Map(certificate?.subject.split('\n').map((line) => line.split('=', 2) as [string, string]))
  const [passTypeId, teamId] = [subject.get('UID'), subject.get('OU')]
  if (!certificate || !passTypeId?.startsWith('pass.') || !teamId) return null
  return { passTypeId, teamId, expiresAt: certificate.validToDate.getTime() }
}

export function isIssuedBy(pem: string, issuerPem: string): boolean {
  const [certificate, issuer] = [parse(pem), parse(issuerPem)]
  return Boolean(certificate && issuer && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))
}

export function isKeyOf(pem: string, privateKeyPem: string): boolean {
  try {
    return parse(pem)?.checkPrivateKey(createPrivateKey(privateKeyPem)) ?? false
  } catch {
    return false
  }
}

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}
