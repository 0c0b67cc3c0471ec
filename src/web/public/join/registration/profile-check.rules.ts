import { limits } from '#contract/limits.ts'

/** What the plans page does when the profile cannot be had. `log-in` comes back here afterwards. */
export type ProfileCheckOutcome = 'retry' | 'log-in' | 'home'

/**
 * Specification 7: 404 to the home page, everything else to log-in; no network and 5xx are first tried again (docs/product-rules.md#failed-session-check).
 * `status` is 0 without an answer; `retries` counts those made so far.
 */
export function outcomeOfFailure(status: number, retries: number): ProfileCheckOutcome {
  if (status === 404) return 'home'
  const mayPass = status === 0 || status >= 500
  return mayPass && retries < limits.profileCheck.retries ? 'retry' : 'log-in'
}
