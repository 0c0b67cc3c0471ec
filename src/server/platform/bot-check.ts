import { botCheckSentences } from '#contract/errors.ts'
import type { BotCheckAction } from '#contract/limits.ts'
import type { Config } from '../config/config.ts'
import { Problem } from './problem.ts'
import type { Alarms } from './alarms.ts'
import { judgeBotCheck, readProviderAnswer, type ProviderAnswer } from './bot-check.rules.ts'

export interface BotCheck {
  /**
   * Has a token judged for an action (decision B14). Resolves with the score, null when the provider could not judge and the action goes on.
   * @throws Problem BOT_CHECK_FAILED or BOT_CHECK_UNAVAILABLE
   */
  require(token: string | undefined, action: BotCheckAction): Promise<number | null>
  /** Whether the provider refused our own key at the last call. */
  isMisconfigured(): boolean
}

const TIMEOUT_MS = 3_000

export function createBotCheck({ secretKey, verifyUrl }: Config['recaptcha'], alarms: Alarms): BotCheck {
  let misconfigured = false

  async function ask(token: string): Promise<ProviderAnswer> {
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
      return readProviderAnswer(await response.json())
    } catch {
      return { kind: 'unavailable' }
    }
  }

  return {
    isMisconfigured: () => misconfigured,
    async require(token, action) {
      const message = botCheckSentences[action]
      if (!token) throw new Problem('BOT_CHECK_FAILED', { message })
      const verdict = judgeBotCheck(await ask(token), action)
      misconfigured = verdict.kind === 'unjudged' && verdict.misconfigured
      if (verdict.kind === 'passed') return verdict.score
      if (verdict.kind === 'failed') throw new Problem('BOT_CHECK_FAILED', { message })
      await alarms.raise(misconfigured ? 'bot-check-misconfigured' : 'bot-check-unavailable', { action })
      if (!verdict.goesOn) throw new Problem('BOT_CHECK_UNAVAILABLE', { message })
      return null
    },
  }
}
