import { botCheckMessages } from '#contract/errors.ts'
import type { BotCheckAction } from '#contract/limits.ts'
import type { Config } from '#server/config/config.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import { evaluateBotCheck, parseProviderResponse, type BotVerdict, type ProviderResponse } from './bot-check.rules.ts'
import { cacheFor } from '#server/lib/cache-for.ts'

export interface BotCheck {
  /**
   * Verifies a token for an action (docs/product-rules.md#bot-check). Resolves with the score, or null when the provider gave no verdict and the action is
   * allowed anyway.
   * @throws Problem BOT_CHECK_FAILED or BOT_CHECK_UNAVAILABLE
   */
  require(token: string | undefined, action: BotCheckAction): Promise<number | null>
  /** Whether the last verification found our key rejected or the provider unreachable. Probes the provider if so, or if nothing was verified yet. */
  findProblem(): Promise<'misconfigured' | 'unavailable' | null>
}

/** Limits probes while the provider is failing; verifications for visitors are not affected. */
const PROBE_INTERVAL_MS = 3_000

const TIMEOUT_MS = 3_000

export function createBotCheck({ secretKey, verifyUrl }: Config['recaptcha'], alerts: Alerts): BotCheck {
  /** undefined before the first response. */
  let trouble: 'misconfigured' | 'unavailable' | null | undefined

  async function verifyToken(token: string): Promise<ProviderResponse> {
    try {
      const response = await fetch(verifyUrl, {
        method: 'POST',
        body: new URLSearchParams({ secret: secretKey, response: token }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) {
        await response.body?.cancel()
        return { kind: 'unavailable' }
      }
      return parseProviderResponse(await response.json())
    } catch {
      return { kind: 'unavailable' }
    }
  }

  /** Sends an invalid token: the response still reveals whether our key is accepted. */
  const probe = cacheFor(PROBE_INTERVAL_MS, async () => {
    trouble = toTrouble(evaluateBotCheck(await verifyToken('no-token'), 'login'))
  })

  return {
    async findProblem() {
      if (secretKey === '') return null
      if (trouble !== null) await probe()
      return trouble ?? null
    },
    async require(token, action) {
      // A site that is being set up: only officers log in.
      if (secretKey === '') return null
      const message = botCheckMessages[action]
      if (!token) throw new Problem('BOT_CHECK_FAILED', { message })
      const verdict = evaluateBotCheck(await verifyToken(token), action)
      trouble = toTrouble(verdict)
      if (verdict.kind === 'passed') return verdict.score
      if (verdict.kind === 'failed') throw new Problem('BOT_CHECK_FAILED', { message })
      await alerts.raise(verdict.misconfigured ? 'bot-check-misconfigured' : 'bot-check-unavailable', { action })
      if (!verdict.goesOn) throw new Problem('BOT_CHECK_UNAVAILABLE', { message })
      return null
    },
  }
}

function toTrouble(verdict: BotVerdict): 'misconfigured' | 'unavailable' | null {
  if (verdict.kind !== 'unjudged') return null
  return verdict.misconfigured ? 'misconfigured' : 'unavailable'
}
