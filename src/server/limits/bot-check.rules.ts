import type { BotCheckAction } from '#contract/limits.ts'
import { limits } from '#contract/limits.ts'

/** The provider's parsed response for a token. */
export type ProviderResponse =
  | { kind: 'judged'; success: boolean; score: number; action: string; errorCodes: readonly string[] }
  | { kind: 'unavailable' }

export type BotVerdict =
  | { kind: 'passed'; score: number }
  | { kind: 'failed' }
  /** The provider gave no verdict: `goesOn` says whether the action is allowed anyway, within its rate limits. */
  | { kind: 'unjudged'; goesOn: boolean; misconfigured: boolean }

const ALLOWED_WITHOUT_VERDICT: ReadonlySet<BotCheckAction> = new Set([
  'login',
  'password_reset',
  'resend_verification',
  'sponsor_checkout',
])
const KEY_ERROR_CODES = new Set(['missing-input-secret', 'invalid-input-secret', 'invalid-keys'])

/** See docs/product-rules.md#bot-check. */
export function evaluateBotCheck(response: ProviderResponse, action: BotCheckAction): BotVerdict {
  const goesOn = ALLOWED_WITHOUT_VERDICT.has(action)
  if (response.kind === 'unavailable') return { kind: 'unjudged', goesOn, misconfigured: false }
  if (response.errorCodes.some((code) => KEY_ERROR_CODES.has(code)))
    return { kind: 'unjudged', goesOn, misconfigured: true }
  const passed = response.success && response.action === action && response.score >= limits.botCheckThreshold
  return passed ? { kind: 'passed', score: response.score } : { kind: 'failed' }
}

/** Parses the provider's JSON; any undocumented shape counts as unavailable. */
export function parseProviderResponse(body: unknown): ProviderResponse {
  if (typeof body !== 'object' || body === null) return { kind: 'unavailable' }
  const { success, score, action, 'error-codes': codes } = body as Record<string, unknown>
  if (typeof success !== 'boolean') return { kind: 'unavailable' }
  return {
    kind: 'judged',
    success,
    score: typeof score === 'number' ? score : 0,
    action: typeof action === 'string' ? action : '',
    errorCodes: Array.isArray(codes) ? codes.map(String) : [],
  }
}
