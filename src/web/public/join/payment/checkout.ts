import { startCheckout } from '#contract/public/membership.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import { currentToken, logIn } from '#web/session/session.ts'
import { CheckoutError } from './checkout-error.ts'

/**
 * `completed`: a free level is now active. `returned`: the visitor came back from the card provider with the Back
 * button.
 */
export type CheckoutOutcome = 'completed' | 'returned'

/** For members, who do not register again. @throws errors for `checkoutErrorMessage` */
export async function checkoutAsMember(levelKey: string, stripeKey: string): Promise<CheckoutOutcome> {
  if (currentToken() === null) throw new CheckoutError('Please log in to continue')
  return follow(await callAsMember(startCheckout, { body: { levelKey } }), stripeKey)
}

interface VerifiedPerson {
  levelKey: string
  email: string
  firstName: string
  lastName: string
}

/**
 * For a person who verified their address in this browser (docs/product-rules.md#proof-before-a-session). @throws
 * errors for `checkoutErrorMessage`
 */
export async function checkoutAfterVerification(person: VerifiedPerson, stripeKey: string): Promise<CheckoutOutcome> {
  return follow(await call(startCheckout, { body: person }), stripeKey)
}

async function follow(reply: ReplyOf<typeof startCheckout>, stripeKey: string): Promise<CheckoutOutcome> {
  const { completed, token, user, sessionUrl, sessionId } = reply
  if (completed) {
    if (token) logIn({ token, user })
    return 'completed'
  }
  if (sessionUrl) await redirectTo(sessionUrl)
  else if (sessionId) await leaveByLibrary(sessionId, stripeKey)
  else throw new CheckoutError('No checkout URL or session ID received')
  return 'returned'
}

interface StripeLibrary {
  redirectToCheckout?(options: { sessionId: string }): Promise<{ error?: { message?: string } }>
}

/** Current Stripe.js no longer has this method; it is used where an older version is on the page. */
async function leaveByLibrary(sessionId: string, stripeKey: string): Promise<void> {
  const { Stripe } = window as { Stripe?: (key: string) => StripeLibrary }
  const library = typeof Stripe === 'function' ? Stripe(stripeKey) : undefined
  if (!library?.redirectToCheckout) throw new CheckoutError('Failed to load Stripe')
  const { error } = await library.redirectToCheckout({ sessionId })
  if (error) throw new CheckoutError(error.message ?? 'Failed to load Stripe')
}
