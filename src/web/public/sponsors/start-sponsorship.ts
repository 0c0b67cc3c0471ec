import type { core } from 'zod/mini'
import {
  sponsorFormToken,
  sponsorLimits,
  startSponsorship as endpoint,
  type sponsorCheckoutBody,
} from '#contract/sponsors.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { pause } from '#web/api/pause.ts'

type Body = core.input<typeof sponsorCheckoutBody>

export interface FormToken {
  formToken: string
  /** By `performance.now()`. */
  fetchedAt: number
}

// The server counts from when it made the token, which was a little earlier.
const MARGIN_MS = 100

/** null when it cannot be had: the form is sent without, under a tighter limit (docs/product-rules.md#card-testing). */
export async function fetchFormToken(): Promise<FormToken | null> {
  try {
    const { formToken } = await call(sponsorFormToken)
    return { formToken, fetchedAt: performance.now() }
  } catch {
    return null
  }
}

/**
 * Answers the address where the sponsor pays. What only speaks for the sender never stops a sponsor: a form left open too long is opened anew, and
 * without a bot check that passes the order is sent without one.
 * @throws {CallFailure}
 */
export async function startSponsorship(order: Body, token: FormToken | null): Promise<string> {
  let body: Body = { ...order, ...(await used(token)) }
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(body)
    } catch (cause) {
      const code = cause instanceof CallFailure ? cause.code : undefined
      if (attempt < 2 && code === 'FORM_TOKEN_INVALID') body = { ...body, ...(await used(await fetchFormToken())) }
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

/** Waits until the token may be used; a person who fills in the form never notices. */
async function used(token: FormToken | null): Promise<{ formToken: string | undefined }> {
  if (!token) return { formToken: undefined }
  const left = token.fetchedAt + sponsorLimits.formTokenMinAgeMs + MARGIN_MS - performance.now()
  if (left > 0) await pause(left)
  return { formToken: token.formToken }
}
