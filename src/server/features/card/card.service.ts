import type { AppContext } from '#server/app-context.ts'
import type { MemberCard } from '#contract/console/people/member-card.ts'
import type { MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { MemberCardTable } from '#server/db/schema/account-schema.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { qrPath } from '#server/lib/qr-picture.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { BrandFiles } from '#server/features/brand/brand-files.service.ts'
import { createAppleWallet } from './apple-wallet.service.ts'
import { googleWalletLink } from './google-wallet.service.ts'
import { findCardMembership } from './card-membership.queries.ts'
import { saveFirstCode, saveNewCode, saveRevocation } from './member-card.commands.ts'
import { findCard } from './member-card.queries.ts'
import { walletPassOf, type WalletPass } from './wallet-pass.rules.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** A member's card and its code (decision record 61). */
export function createCardService(
  ctx: AppContext,
  { guard, brandFiles }: { guard: ActAuthorizer; brandFiles: BrandFiles },
) {
  const { config, siteUrl, db, clock, secrets, graceMs, association } = ctx
  const appleWallet = createAppleWallet(ctx, { brandFiles })
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
      hasAppleWallet: hasCode && appleWallet.isOffered(),
    }
  }

  /** @throws Problem NOT_FOUND for a card without a code */
  async function requirePass(accountId: string): Promise<WalletPass> {
    const card = await open(accountId)
    const pass = walletPassOf(await show(accountId, card), { id: card.codeId, title: (await association()).name })
    if (!pass) throw new Problem('NOT_FOUND')
    return pass
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
      if (!config.googleWallet) throw new Problem('NOT_FOUND')
      const pass = await requirePass(accountId)
      return { url: await googleWalletLink(config.googleWallet, pass, { siteUrl, now: clock.now() }) }
    },

    /** @throws Problem NOT_FOUND without a valid certificate for Apple Wallet, or without a code */
    async appleWallet(accountId: string): Promise<{ url: string }> {
      if (!appleWallet.isOffered()) throw new Problem('NOT_FOUND')
      await requirePass(accountId)
      return { url: await appleWallet.linkFor(accountId) }
    },

    /** @throws Problem NOT_FOUND as `appleWallet`, and for an address that is too old */
    async appleWalletPass(token: string): Promise<ServedFile> {
      const accountId = await appleWallet.readLink(token)
      const account = accountId === null ? null : await findAccount(db, accountId)
      if (!account || account.deactivatedBy !== null || !appleWallet.isOffered()) throw new Problem('NOT_FOUND')
      return { filename: 'membership-card.pkpass', content: await appleWallet.sign(await requirePass(account.id)) }
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
