import type { BotCheckAction } from '#contract/limits.ts'
import { limits } from '#contract/limits.ts'

/** What the provider answered to a token, as far as it can be read. */
export type ProviderAnswer =
  | { kind: 'judged'; success: boolean; score: number; action: string; errorCodes: readonly string[] }
  | { kind: 'unavailable' }

export type BotVerdict =
  | { kind: 'passed'; score: number }
  | { kind: 'failed' }
  /** Nobody judged it: `goesOn` says whether this action is served all the same, under its limits. */
  | { kind: 'unjudged'; goesOn: boolean; misconfigured: boolean }

const GOES_ON_WITHOUT: ReadonlySet<BotCheckAction> = new Set([
  'login',
  'password_reset',
  'resend_verification',
  'sponsor_checkout',
])
const OUR_FAULT = new Set(['missing-input-secret', 'invalid-input-secret', 'invalid-keys'])

/** See docs/product-rules.md#bot-check. */
export function judgeBotCheck(answer: ProviderAnswer, action: BotCheckAction): BotVerdict {
  const goesOn = GOES_ON_WITHOUT.has(action)
  if (answer.kind === 'unavailable') return { kind: 'unjudged', goesOn, misconfigured: false }
  if (answer.errorCodes.some((code) => OUR_FAULT.has(code))) return { kind: 'unjudged', goesOn, misconfigured: true }
  const passed = answer.success && answer.action === action && answer.score >= limits.botCheckThreshold
  return passed ? { kind: 'passed', score: answer.score } : { kind: 'failed' }
}

/** Reads the provider's JSON; anything that is not its documented shape counts as unavailable. */
export function readProviderAnswer(body: unknown): ProviderAnswer {
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
