import type { core } from 'zod/mini'
import {
  sponsorFormToken,
  sponsorLimits,
  startSponsorship as endpoint,
  type sponsorCheckoutBody,
} from '#contract/public/sponsors.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { delay } from '#web/api/delay.ts'

type Body = core.input<typeof sponsorCheckoutBody>

export interface FormToken {
  formToken: string
  /** From `performance.now()`. */
  fetchedAt: number
}

// The server counts from when it issued the token, slightly before we received it.
const MARGIN_MS = 100

/** null on failure: the form is then sent without a token, under a tighter limit (docs/product-rules.md#card-testing). */
export async function fetchFormToken(): Promise<FormToken | null> {
  try {
    const { formToken } = await call(sponsorFormToken)
    return { formToken, fetchedAt: performance.now() }
  } catch {
    return null
  }
}

/**
 * Returns the URL of the checkout page. Anti-abuse checks never block a sponsor: an expired form token is replaced, and
 * if the bot check fails the order is sent without one.
 * @throws {CallFailure}
 */
export async function startSponsorship(order: Body, token: FormToken | null): Promise<string> {
  let body: Body = { ...order, ...(await waitUntilUsable(token)) }
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(body)
    } catch (cause) {
      const code = cause instanceof CallFailure ? cause.code : undefined
      if (attempt < 2 && code === 'FORM_TOKEN_INVALID')
        body = { ...body, ...(await waitUntilUsable(await fetchFormToken())) }
      else if (attempt < 2 && code?.startsWith('BOT_CHECK_')) body = { ...body, recaptchaToken: undefined }
      else throw cause
    }
  }
}

async function send(body: Body): Promise<string> {
  try {
    const { sessionUrl } = await call(endpoint, { body })
    if (sessionUrl) return sessionUrl
  } catch (cause) {
    if (!(cause instanceof CallFailure) || cause.status !== 200) throw cause
  }
  throw new CallFailure({ status: 200, sentence: 'No checkout URL received from server' })
}

/** Waits until the token has its minimum age; people take longer to fill in the form. */
async function waitUntilUsable(token: FormToken | null): Promise<{ formToken: string | undefined }> {
  if (!token) return { formToken: undefined }
  const waitMs = token.fetchedAt + sponsorLimits.formTokenMinAgeMs + MARGIN_MS - performance.now()
  if (waitMs > 0) await delay(waitMs)
  return { formToken: token.formToken }
}
