import { PassType, PKPass } from 'passkit-generator'
import { paletteOf } from '#contract/brand/palette.ts'
import { downloadAppleWalletPass } from '#contract/public/my-account/membership-card.ts'
import type { AppContext } from '#server/app-context.ts'
import { readPassCertificate } from '#server/lib/pass-certificate.ts'
import { createSignedTokens } from '#server/lib/signed-token.ts'
import type { BrandFiles } from '#server/features/brand/brand-files.service.ts'
import type { WalletPass } from './wallet-pass.rules.ts'

/** Longer than the browser needs to follow it. */
const LINK_MS = 60_000
/** Wallet shows it in a smaller size. */
const ICON = '/apple-touch-icon.png'

/** Passes for Apple Wallet (decision record 75). */
export function createAppleWallet(
  { config, siteUrl, clock, secrets, association }: AppContext,
  { brandFiles }: { brandFiles: BrandFiles },
) {
  const links = createSignedTokens({
    key: secrets.key('card-pass'),
    issuer: siteUrl,
    audience: 'card-passes',
    type: 'card-pass+jwt',
    claims: [],
  })
  const { appleWallet } = config
  const owner = appleWallet && readPassCertificate(appleWallet.certificate)

  return {
    /** Phones refuse a pass that was signed after the certificate ended. */
    isOffered: () => owner !== null && clock.now() < owner.expiresAt,

    /** An address that a phone opens once it knows it: an address cannot carry the log-in. */
    async linkFor(accountId: string): Promise<string> {
      const now = clock.now()
      const token = await links.write({ sub: accountId }, { now, expiresAt: now + LINK_MS })
      return `${downloadAppleWalletPass.path}?${new URLSearchParams({ token })}`
    },

    /** The account of such an address; null once it is too old, or if it was not made here. */
    readLink: async (token: string): Promise<string | null> => (await links.read(token, clock.now()))?.sub ?? null,

    /** A generic pass, signed ("Building a Pass" of Apple's documentation). @throws Error unless passes are offered */
    async sign({ id, title, name, number, code }: WalletPass): Promise<Buffer> {
      if (!appleWallet || !owner) throw new Error('There is no certificate for Apple Wallet.')
      const [icon, { brand }] = await Promise.all([brandFiles.read(ICON), association()])
      const pass = new PKPass(
        { 'icon.png': icon, 'icon@2x.png': icon, 'icon@3x.png': icon },
        {
          wwdr: appleWallet.issuerCertificate,
          signerCert: appleWallet.certificate,
          signerKey: appleWallet.privateKey,
        },
        {
          serialNumber: id,
          passTypeIdentifier: owner.passTypeId,
          teamIdentifier: owner.teamId,
          organizationName: title,
          description: 'Membership card',
          logoText: title,
          backgroundColor: rgb(paletteOf(brand).light.deep),
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
    },
  }
}

/** @param hex such as `#5b1a2e` */
function rgb(hex: string): string {
  const parts = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
  return `rgb(${parts.join(', ')})`
}
