import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppContext } from '#server/app-context.ts'
import { paletteOf } from '#contract/brand/palette.ts'
import type { MemberCard } from '#contract/console/people/member-card.ts'
import { downloadAppleWalletPass, type MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { MemberCardTable } from '#server/db/schema/account-schema.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { ART_DIRECTORY } from '#server/media-store/pictures/site-illustrations.ts'
import type { FindBrandFile } from '#server/pages/brand-responses.ts'
import { newId } from '#server/lib/ids.ts'
import { readPassCertificate } from '#server/lib/pass-certificate.ts'
import { Problem } from '#server/lib/problem.ts'
import { qrPath } from '#server/lib/qr-picture.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { createSignedTokens } from '#server/lib/signed-token.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { appleWalletPass } from './apple-wallet.service.ts'
import { googleWalletLink } from './google-wallet.service.ts'
import { findCardMembership } from './card-membership.queries.ts'
import { saveFirstCode, saveNewCode, saveRevocation } from './member-card.commands.ts'
import { findCard } from './member-card.queries.ts'

/** Longer than the browser needs to follow it. */
const PASS_LINK_MS = 60_000
const PASS_ICON = '/apple-touch-icon.png'

const iso = (instant: number) => new Date(instant).toISOString()

/** A member's card and its code (decision record 61). */
export function createCardService(
  { config, siteUrl, db, clock, secrets, graceMs, association }: AppContext,
  { guard, findBrandFile }: { guard: ActAuthorizer; findBrandFile: FindBrandFile },
) {
  const passLinks = createSignedTokens({
    key: secrets.key('card-pass'),
    issuer: siteUrl,
    audience: 'card-passes',
    type: 'card-pass+jwt',
    claims: [],
  })
  const codeOf = (codeId: string) => secrets.token('card-code', codeId)

  function newCode(accountId: string) {
    const codeId = newId(clock.now())
    return { accountId, codeId, codeHash: hashToken(codeOf(codeId)) }
  }

  /** The card, made when it is opened first. A code that the site's secret no longer yields is replaced. */
  async function open(accountId: string): Promise<MemberCardTable> {
    const found = await findCard(db, accountId)
    if (found && isDerived(found)) return found
    return db.transaction().execute(async (tx) => {
      await lockAccount(tx, accountId)
      const card = await saveFirstCode(tx, newCode(accountId), clock.now())
      return isDerived(card) || card.revokedAt !== null ? card : replace(tx, accountId)
    })
  }

  function isDerived({ codeId, codeHash }: MemberCardTable): boolean {
    return hashToken(codeOf(codeId)) === codeHash
  }

  async function replace(tx: Tx, accountId: string): Promise<MemberCardTable> {
    const now = clock.now()
    await saveNewCode(tx, newCode(accountId), now)
    await writeAudit(tx, { actor: accountId, action: 'card.replaced', subjectId: accountId }, now)
    const card = await findCard(tx, accountId)
    if (!card) throw new Problem('NOT_FOUND')
    return card
  }

  async function show(accountId: string, { number, codeId, revokedAt }: MemberCardTable): Promise<MembershipCard> {
    const now = clock.now()
    const account = await findAccount(db, accountId)
    if (!account) throw new Problem('NOT_FOUND')
    const membership = await findCardMembership(db, accountId, { now, graceMs: graceMs() })
    const url = `${siteUrl}/card#${codeOf(codeId)}`
    const hasCode = membership.status !== 'lapsed' && revokedAt === null
    return {
      ...membership,
      name: `${account.firstName} ${account.lastName}`,
      number,
      since: iso(account.createdAt),
      code: hasCode ? { url, ...qrPath(url) } : null,
      revokedAt: revokedAt === null ? null : iso(revokedAt),
      checkedAt: iso(now),
      hasGoogleWallet: hasCode && config.googleWallet !== null,
      hasAppleWallet: hasCode && maySignForApple(now),
    }
  }

  /** Phones refuse a pass that was signed after the certificate ended. */
  function maySignForApple(now: number): boolean {
    const certificate = config.appleWallet && readPassCertificate(config.appleWallet.certificate)
    return certificate !== null && now < certificate.expiresAt
  }

  /** The icon of the site on a phone's home screen. */
  async function passIcon(): Promise<Buffer> {
    const own = await findBrandFile(PASS_ICON)
    return own ? Buffer.from(own.body) : readFile(join(ART_DIRECTORY, '..', PASS_ICON))
  }

  async function describe(handle: Db, by: Officer, accountId: string): Promise<MemberCard> {
    if (!(await findAccount(handle, accountId))) throw new Problem('NOT_FOUND')
    const card = await findCard(handle, accountId)
    const refusal = await guard.refusal(handle, { act: 'revokeMemberCard', by: by.accountId, on: accountId })
    return {
      card: card && {
        number: card.number,
        madeAt: iso(card.madeAt),
        revokedAt: card.revokedAt === null ? null : iso(card.revokedAt),
      },
      mayRevoke: card?.revokedAt === null && refusal === null,
    }
  }

  return {
    async own(accountId: string): Promise<MembershipCard> {
      return show(accountId, await open(accountId))
    },

    /** The former code stops working with the same commit; also makes one after an officer revoked the last. */
    async replace(accountId: string): Promise<MembershipCard> {
      await open(accountId)
      const card = await db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        return replace(tx, accountId)
      })
      return show(accountId, card)
    },

    /** @throws Problem NOT_FOUND without the settings for Google Wallet, or without a code */
    async googleWallet(accountId: string): Promise<{ url: string }> {
      const card = await open(accountId)
      const { name, number, code } = await show(accountId, card)
      if (!config.googleWallet || !code) throw new Problem('NOT_FOUND')
      const title = (await association()).name
      const pass = { id: card.codeId, title, name, number, code: code.url, siteUrl }
      return { url: await googleWalletLink(config.googleWallet, pass, clock.now()) }
    },

    /** An address that a phone opens once it knows it; it works for a minute. @throws Problem NOT_FOUND as `googleWallet` */
    async appleWallet(accountId: string): Promise<{ url: string }> {
      const { hasAppleWallet } = await show(accountId, await open(accountId))
      if (!hasAppleWallet) throw new Problem('NOT_FOUND')
      const now = clock.now()
      const token = await passLinks.write({ sub: accountId }, { now, expiresAt: now + PASS_LINK_MS })
      return { url: `${downloadAppleWalletPass.path}?${new URLSearchParams({ token })}` }
    },

    /** @throws Problem NOT_FOUND for a token that is not valid (any more) */
    async appleWalletPass(token: string): Promise<ServedFile> {
      const link = await passLinks.read(token, clock.now())
      const account = link && (await findAccount(db, link.sub))
      if (!account || account.deactivatedBy !== null || !config.appleWallet) throw new Problem('NOT_FOUND')
      const card = await open(account.id)
      const { name, number, code, hasAppleWallet } = await show(account.id, card)
      if (!hasAppleWallet || !code) throw new Problem('NOT_FOUND')
      const { name: title, brand } = await association()
      const content = appleWalletPass(config.appleWallet, {
        id: card.codeId,
        title,
        name,
        number,
        code: code.url,
        icon: await passIcon(),
        background: paletteOf(brand).light.deep,
      })
      return { filename: 'membership-card.pkpass', content }
    },

    /** @throws Problem NOT_FOUND */
    describe: (by: Officer, accountId: string) => describe(db, by, accountId),

    /** The code stops working at once; only the member can make a new one. @throws Problem NOT_FOUND, OWN_ACCOUNT */
    async revoke(by: Officer, accountId: string): Promise<MemberCard> {
      return db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        if (!(await findAccount(tx, accountId))) throw new Problem('NOT_FOUND')
        await guard.require(tx, { act: 'revokeMemberCard', by: by.accountId, on: accountId })
        const card = await findCard(tx, accountId)
        if (card?.revokedAt === null) {
          const now = clock.now()
          await saveRevocation(tx, accountId, now)
          await writeAudit(tx, { actor: by.accountId, action: 'card.revoked', subjectId: accountId }, now)
        }
        return describe(tx, by, accountId)
      })
    },
  }
}

export type CardService = ReturnType<typeof createCardService>
