import { botCheckSentences } from '#contract/errors.ts'
import type { BotCheckAction } from '#contract/limits.ts'
import type { Config } from '../config/config.ts'
import { Problem } from './problem.ts'
import type { Alarms } from './alarms.ts'
import { judgeBotCheck, readProviderAnswer, type BotVerdict, type ProviderAnswer } from './bot-check.rules.ts'
import { remembered } from './remembered.ts'

export interface BotCheck {
  /**
   * Has a token judged for an action (docs/product-rules.md#bot-check). Resolves with the score, null when the provider could not judge and the action goes on.
   * @throws Problem BOT_CHECK_FAILED or BOT_CHECK_UNAVAILABLE
   */
  require(token: string | undefined, action: BotCheckAction): Promise<number | null>
  /** Whether the provider refused our own key, or did not answer, when it was asked last; in trouble, or never asked before, it is asked now. */
  trouble(): Promise<'misconfigured' | 'unavailable' | null>
}

/** While it is in trouble the provider is asked again at most so often, besides what visitors bring. */
const ASK_AGAIN_EVERY_MS = 3_000

const TIMEOUT_MS = 3_000

export function createBotCheck({ secretKey, verifyUrl }: Config['recaptcha'], alarms: Alarms): BotCheck {
  /** undefined before the first answer. */
  let trouble: 'misconfigured' | 'unavailable' | null | undefined

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

  /** A token that nobody made: an answer to it says all the same whether our key is known. */
  const probe = remembered(ASK_AGAIN_EVERY_MS, async () => {
    trouble = troubleOf(judgeBotCheck(await ask('no-token'), 'login'))
  })

  return {
    async trouble() {
      if (trouble !== null) await probe()
      return trouble ?? null
    },
    async require(token, action) {
      const message = botCheckSentences[action]
      if (!token) throw new Problem('BOT_CHECK_FAILED', { message })
      const verdict = judgeBotCheck(await ask(token), action)
      trouble = troubleOf(verdict)
      if (verdict.kind === 'passed') return verdict.score
      if (verdict.kind === 'failed') throw new Problem('BOT_CHECK_FAILED', { message })
      await alarms.raise(verdict.misconfigured ? 'bot-check-misconfigured' : 'bot-check-unavailable', { action })
      if (!verdict.goesOn) throw new Problem('BOT_CHECK_UNAVAILABLE', { message })
      return null
    },
  }
}

function troubleOf(verdict: BotVerdict): 'misconfigured' | 'unavailable' | null {
  if (verdict.kind !== 'unjudged') return null
  return verdict.misconfigured ? 'misconfigured' : 'unavailable'
}
