import { listLevels, paymentStatus, startCheckout, verifyCheckoutSession } from '#contract/public/membership.ts'
import type { Call, Server } from '#server/http/serve.ts'
import type { MembershipService, PayingCaller } from './membership.service.ts'

// Outlasts a payment on the hosted page, so the returning browser is recognized.
const CHECKOUT_COOKIE_SECONDS = 86_400

export function membershipRoutes(server: Server, memberships: MembershipService, contentVersion: () => string): void {
  server.serveContent(listLevels, contentVersion, () => memberships.levels())

  server.serve(startCheckout, async (call) => {
    const { reply, checkoutId } = await memberships.startCheckout(call.body, payingCaller(call))
    if (checkoutId) call.setCookie('checkout', checkoutId, CHECKOUT_COOKIE_SECONDS)
    return reply
  })

  server.serve(verifyCheckoutSession, (call) => memberships.verifySession(call.query, payingCaller(call)))

  server.serve(paymentStatus, async ({ query }) => ({ ready: await memberships.isReady(query.sessionId) }))
}

function payingCaller({
  caller,
  readCookie,
  userAgent,
}: Pick<Call<never>, 'caller' | 'readCookie' | 'userAgent'>): PayingCaller {
  return {
    accountId: caller?.accountId ?? null,
    grantedRegistrationId: readCookie('grant'),
    ownCheckoutId: readCookie('checkout'),
    userAgent,
  }
}
