import type { AppContext } from '#server/app-context.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { listLevels, startCheckout, verifyCheckoutSession } from '#contract/public/membership.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount, findAccountByEmail, toUser, type Account } from '#server/features/accounts/account.queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { findRegistration, type Registration } from '#server/features/auth/registration/registration.queries.ts'
import type { SessionService } from '#server/features/auth/sessions/session.service.ts'
import { isPaid } from '#server/features/orders/order.queries.ts'
import type { OpenPage } from '#server/features/orders/order-page.service.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import type { CheckoutService } from './checkout/checkout.service.ts'
import { checkouts as checkoutOrders, findCheckout, findCheckoutBySession } from './checkout/checkout.commands.ts'
import { markTokenIssued } from './checkout/checkout.repository.ts'
import { type Checkout } from './checkout/checkout.queries.ts'
import { findLevel, listLevelsOnSale, toPublicLevel, type Level } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership, type Membership } from './membership.queries.ts'
import { hasLiveSubscription, hasRights, canBuy, membershipStatus } from './membership.rules.ts'
import type { MembershipPriceService } from './membership-price.service.ts'
import type { FreeMemberships } from './checkout/free-membership.service.ts'

type StartReply = ReplyOf<typeof startCheckout>
type VerifyReply = ReplyOf<typeof verifyCheckoutSession>

/** The caller of a payment endpoint. */
export interface PayingCaller {
  /** From a bearer token. */
  accountId: string | null
  /** The verified registration granted to this browser (docs/product-rules.md#proof-before-a-session). */
  grantedRegistrationId: string | null
  /** The checkout this browser started (docs/product-rules.md#return-from-payment). */
  ownCheckoutId: string | null
  userAgent: string
}

const TOKEN_WINDOW_MS = 3_600_000
const ASK_PROVIDER_EVERY_MS = 8_000

export function createMembershipService(
  { db, clock, siteUrl, graceMs }: AppContext,
  {
    sessions,
    checkouts,
    prices,
    freeMemberships,
    orders,
  }: {
    sessions: SessionService
    checkouts: CheckoutService
    prices: MembershipPriceService
    freeMemberships: FreeMemberships
    orders: Pick<Orders, 'verify' | 'complete'>
  },
) {
  /** Requires a level that is on sale or that the account already has. @throws Problem PLAN_NOT_FOUND */
  async function requireLevel(key: string, accountId: string | null = null): Promise<Level> {
    const level = await findLevel(db, key)
    const isSold = level !== null && (level.isOnSale || (accountId !== null && (await holds(accountId, key))))
    if (!isSold) throw new Problem('PLAN_NOT_FOUND')
    return level
  }

  async function holds(accountId: string, levelKey: string): Promise<boolean> {
    const membership = held(await findCurrentMembership(db, accountId))
    return membership?.levelKey === levelKey && hasRights(membership.status)
  }

  function held(membership: Membership | null) {
    if (!membership) return null
    const status = membershipStatus(membership, clock.now(), graceMs())
    return { ...membership, status, hasSubscription: hasLiveSubscription(membership) }
  }

  async function requireMayBuy(accountId: string, level: Level): Promise<void> {
    const verdict = canBuy(held(await findCurrentMembership(db, accountId)), level)
    if (verdict === 'lifetime') throw new Problem('LIFETIME_MEMBERSHIP')
    if (verdict === 'subscription-exists') throw new Problem('SUBSCRIPTION_EXISTS')
  }

  async function startForAccount(accountId: string, level: Level, userAgent: string) {
    const account = await findAccount(db, accountId)
    if (!account) throw new Problem('SESSION_EXPIRED')
    await requireMayBuy(accountId, level)
    if (level.unitAmount === 0) {
      await freeMemberships.start(account.id, level, 'member')
      return freeReply(account, await sessions.start(db, account, userAgent))
    }
    const opened = await checkouts.open(
      { ...account, personId: account.id },
      level,
      await prices.priceFor(account.id, level),
    )
    if (opened === 'paid') {
      throw new Problem(level.isRecurring ? 'SUBSCRIPTION_EXISTS' : 'LIFETIME_MEMBERSHIP')
    }
    return paidReply(opened)
  }

  async function startForRegistration(registration: Registration, level: Level, userAgent: string) {
    if (level.unitAmount === 0) {
      const account = await freeMemberships.start(registration.id, level, 'registration')
      // Another tab just completed it and got the token; this response omits it (docs/product-rules.md#proof-before-a-session).
      if (!account) return freeReply(registration, undefined)
      return freeReply(account, await sessions.start(db, account, userAgent))
    }
    const payer = { personId: registration.id, email: registration.email }
    const opened = await checkouts.open(payer, level, await prices.priceFor(null, level))
    if (opened === 'paid') throw new Problem('ALREADY_A_MEMBER')
    return paidReply(opened)
  }

  /** Requires the registration granted to this browser, with a matching address. */
  async function requireGranted(grantedId: string | null, email: string | undefined): Promise<Registration> {
    const registration = grantedId ? await findRegistration(db, grantedId) : null
    if (!registration || !email || nameKey(email) !== nameKey(registration.email)) {
      throw new Problem('VERIFICATION_REQUIRED')
    }
    if (registration.completedAt !== null || (await findAccountByEmail(db, registration.email))) {
      throw new Problem('ALREADY_A_MEMBER')
    }
    if (registration.verifiedAt === null) throw new Problem('VERIFICATION_REQUIRED')
    if (registration.expiresAt <= clock.now()) throw new Problem('REGISTRATION_EXPIRED')
    return registration
  }

  /** Issues a token once, soon after the payment, to the browser that paid (docs/product-rules.md#return-from-payment). */
  async function issueToken(checkout: Checkout, caller: PayingCaller): Promise<Partial<VerifyReply>> {
    const now = clock.now()
    const account = await accountOfCheckout(checkout)
    const isTheirs = caller.ownCheckoutId === checkout.id || (account && caller.accountId === account.id)
    if (!account || account.deactivatedBy !== null || !isTheirs) return {}
    if (checkout.paidAt === null || now - checkout.paidAt > TOKEN_WINDOW_MS) return {}
    return db.transaction().execute(async (tx) => {
      if (!(await markTokenIssued(tx, checkout.id, now))) return {}
      return { token: await sessions.start(tx, account, caller.userAgent), user: toUser(account) }
    })
  }

  async function accountOfCheckout({ personId }: Checkout): Promise<Account | null> {
    const account = await findAccount(db, personId)
    if (account) return account
    const registration = await findRegistration(db, personId)
    return registration && findAccountByEmail(db, registration.email)
  }

  return {
    requireLevel,
    levels: async (): Promise<ReplyOf<typeof listLevels>> => (await listLevelsOnSale(db)).map(toPublicLevel),

    /** `checkoutId` goes into the cookie that ties the checkout to this browser. @throws Problem as listed in the contract */
    async startCheckout(
      { levelKey, email }: BodyOf<typeof startCheckout>,
      { accountId, grantedRegistrationId, userAgent }: PayingCaller,
    ): Promise<{ reply: StartReply; checkoutId: string | null }> {
      if (accountId) return startForAccount(accountId, await requireLevel(levelKey, accountId), userAgent)
      const level = await requireLevel(levelKey)
      return startForRegistration(await requireGranted(grantedRegistrationId, email), level, userAgent)
    },

    /** @throws Problem PAYMENT_LINK_INVALID for an unknown session or a wrong nonce, PAYMENT_CHECK_FAILED */
    /** Sponsors return to their own page, which also calls this endpoint. */
    async verifySession(query: { session_id: string; nonce: string }, caller: PayingCaller): Promise<VerifyReply> {
      const { order } = await orders.verify(query)
      if (!isPaid(order)) return { ready: false }
      const checkout = await findCheckout(db, order.id)
      return { ready: true, ...(checkout && (await issueToken(checkout, caller))) }
    },

    async isReady(sessionId: string): Promise<boolean> {
      const checkout = await findCheckoutBySession(db, sessionId)
      if (!checkout) return false
      if (isPaid(checkout)) return true
      if (clock.now() - checkout.checkedAt < ASK_PROVIDER_EVERY_MS) return false
      await checkoutOrders.markChecked(db, checkout.id, clock.now())
      // The page polls every 2 s, so an unavailable provider means "not yet".
      return (await orders.complete(sessionId).catch(() => 'open')) === 'paid'
    },

    /** The URL of a checkout for an account, or of the success page for a free level. */
    async startRenewal(account: Account, level: Level): Promise<string> {
      await requireMayBuy(account.id, level)
      if (level.unitAmount === 0) {
        await freeMemberships.start(account.id, level, 'member')
        return `${siteUrl}/stripe/success?free=1`
      }
      const opened = await checkouts.open(
        { ...account, personId: account.id },
        level,
        await prices.priceFor(account.id, level),
      )
      if (opened === 'paid') throw new Problem('SUBSCRIPTION_EXISTS')
      return opened.url
    },
  }
}

export type MembershipService = ReturnType<typeof createMembershipService>

function freeReply(person: Parameters<typeof toUser>[0], token: string | undefined) {
  return { reply: { completed: true, ...(token && { token }), user: toUser(person) }, checkoutId: null }
}

function paidReply({ orderId: checkoutId, url, sessionId, reused }: OpenPage) {
  return { reply: { completed: false, sessionUrl: url, sessionId, reused }, checkoutId }
}
