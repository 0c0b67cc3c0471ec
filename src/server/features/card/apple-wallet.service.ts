import { PassType, PKPass } from 'passkit-generator'
import type { Config } from '#server/config/config.ts'
import { readPassCertificate } from '#server/lib/pass-certificate.ts'

interface WalletPass {
  /** Unique to the code: after a new code, the pass of the former one stays as it is. */
  id: string
  title: string
  name: string
  number: number
  /** The content of the QR code. */
  code: string
  /** A PNG; Wallet shows it in a smaller size. */
  icon: Buffer
  /** Hexadecimal, such as `#5b1a2e`. */
  background: string
}

/**
 * A generic pass, signed ("Building a Pass" of Apple's documentation). It has what stays true while the code works: neither level nor status nor dates, since a
 * saved pass is never updated.
 * @throws Error if the certificate cannot be read
 */
export function appleWalletPass(
  { certificate, privateKey, issuerCertificate }: NonNullable<Config['appleWallet']>,
  { id, title, name, number, code, icon, background }: WalletPass,
): Buffer {
  const owner = readPassCertificate(certificate)
  if (!owner) throw new Error('The certificate for Apple Wallet cannot be read.')
  const pass = new PKPass(
    { 'icon.png': icon, 'icon@2x.png': icon, 'icon@3x.png': icon },
    { wwdr: issuerCertificate, signerCert: certificate, signerKey: privateKey },
    {
      serialNumber: id,
      passTypeIdentifier: owner.passTypeId,
      teamIdentifier: owner.teamId,
      organizationName: title,
      description: 'Membership card',
      logoText: title,
      backgroundColor: rgb(background),
      foregroundColor: 'rgb(255, 255, 255)',
      labelColor: 'rgb(255, 255, 255)',
      sharingProhibited: true,
    },
  )
  const fields = new PassType('generic')
  fields.primaryFields.push({ key: 'name', label: 'Member', value: name })
  fields.secondaryFields.push({ key: 'number', label: 'Member no.', value: String(number) })
  pass.types.push(fields)
  pass.setBarcodes({ message: code, format: 'PKBarcodeFormatQR', messageEncoding: 'iso-8859-1' })
  return pass.getAsBuffer()
}

function rgb(hex: string): string {
  const parts = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
  return `rgb(${parts.join(', ')})`
}
