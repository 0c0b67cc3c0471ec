import { limits } from '#contract/limits.ts'

/** What the plans page does when the profile cannot be loaded. `log-in` returns to the plans afterwards. */
export type ProfileCheckOutcome = 'retry' | 'log-in' | 'home'

/**
 * 404 goes to the home page, everything else to login; network errors and 5xx are retried first
 * (docs/product-rules.md#failed-session-check). `status` is 0 without a response; `retries` counts the retries so far.
 */
export function profileCheckOutcome(status: number, retries: number): ProfileCheckOutcome {
  if (status === 404) return 'home'
  const mayPass = status === 0 || status >= 500
  return mayPass && retries < limits.profileCheck.retries ? 'retry' : 'log-in'
}
