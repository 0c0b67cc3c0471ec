import { importPKCS8, SignJWT } from 'jose'
import type { Config } from '#server/config/config.ts'
import type { WalletPass } from './wallet-pass.rules.ts'

const SAVE = 'https://pay.google.com/gp/v/save/'
const text = (value: string) => ({ defaultValue: { language: 'en-US', value } })

/** The address that saves a generic pass ("JWT in the Save to Google Wallet link" of Google's documentation). */
export async function googleWalletLink(
  { issuerId, email, privateKey }: NonNullable<Config['googleWallet']>,
  { id, title, name, number, code }: WalletPass,
  { siteUrl, now }: { siteUrl: string; now: number },
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
