import { startCheckout } from '#contract/membership.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { leaveFor } from '#web/api/leave.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'
import { currentToken, logIn } from '#web/features/auth/session.ts'
import { CheckoutProblem } from './checkout-problem.ts'

/** `completed`: a free level is active now. `returned`: the visitor was at the card provider and came back with the Back button. */
export type CheckoutOutcome = 'completed' | 'returned'

/** For a member: a level without registering again. @throws what `explainCheckout` puts into words. */
export async function checkoutAsMember(levelKey: string, stripeKey: string): Promise<CheckoutOutcome> {
  if (currentToken() === null) throw new CheckoutProblem('Please log in to continue')
  return follow(await callAsMember(startCheckout, { body: { levelKey } }), stripeKey)
}

interface VerifiedPerson {
  levelKey: string
  email: string
  firstName: string
  lastName: string
}

/** For someone whose address was verified in this browser (docs/product-rules.md#proof-before-a-session). @throws what `explainCheckout` puts into words. */
export async function checkoutAfterVerification(person: VerifiedPerson, stripeKey: string): Promise<CheckoutOutcome> {
  return follow(await call(startCheckout, { body: person }), stripeKey)
}

async function follow(reply: ReplyOf<typeof startCheckout>, stripeKey: string): Promise<CheckoutOutcome> {
  const { completed, token, user, sessionUrl, sessionId } = reply
  if (completed) {
    if (token) logIn({ token, user })
    return 'completed'
  }
  if (sessionUrl) await leaveFor(sessionUrl)
  else if (sessionId) await leaveByLibrary(sessionId, stripeKey)
  else throw new CheckoutProblem('No checkout URL or session ID received')
  return 'returned'
}

interface StripeLibrary {
  redirectToCheckout?(options: { sessionId: string }): Promise<{ error?: { message?: string } }>
}

/** The method is gone from today's Stripe.js; where an older one is on the page it is used. */
async function leaveByLibrary(sessionId: string, stripeKey: string): Promise<void> {
  const { Stripe } = window as { Stripe?: (key: string) => StripeLibrary }
  const library = typeof Stripe === 'function' ? Stripe(stripeKey) : undefined
  if (!library?.redirectToCheckout) throw new CheckoutProblem('Failed to load Stripe')
  const { error } = await library.redirectToCheckout({ sessionId })
  if (error) throw new CheckoutProblem(error.message ?? 'Failed to load Stripe')
}
