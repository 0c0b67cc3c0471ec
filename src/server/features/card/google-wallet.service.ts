import { importPKCS8, SignJWT } from 'jose'
import type { Config } from '#server/config/config.ts'

interface WalletPass {
  /** Unique to the code: after a new code, the pass of the former one stays as it is. */
  id: string
  title: string
  name: string
  number: number
  /** The content of the QR code. */
  code: string
  siteUrl: string
}

const SAVE = 'https://pay.google.com/gp/v/save/'
const text = (value: string) => ({ defaultValue: { language: 'en-US', value } })

/**
 * The address that saves a generic pass ("JWT in the Save to Google Wallet link" of Google's documentation). It has what stays true while the code
 * works: neither level nor status nor dates, since a saved pass is never updated.
 */
export async function googleWalletLink(
  { issuerId, email, privateKey }: NonNullable<Config['googleWallet']>,
  { id, title, name, number, code, siteUrl }: WalletPass,
  now: number,
): Promise<string> {
  const classId = `${issuerId}.membership`
  const genericObject = {
    id: `${issuerId}.${id}`,
    classId,
    cardTitle: text(title),
    header: text(name),
    barcode: { type: 'QR_CODE', value: code },
    textModulesData: [{ id: 'number', header: 'Member no.', body: String(number) }],
  }
  const payload = { genericClasses: [{ id: classId }], genericObjects: [genericObject] }
  const token = await new SignJWT({ typ: 'savetowallet', origins: [siteUrl], payload })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience('google')
    .setIssuedAt(Math.floor(now / 1_000))
    .sign(await importPKCS8(privateKey, 'RS256'))
  return SAVE + token
}
