import { useCallback } from 'react'
import { WITHOUT_BOT_CHECK, type BotCheckAction } from '#contract/limits.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ensureBotCheckScript, type BotCheckSettings } from './bot-check-script.ts'

interface BotCheckLibrary {
  ready(callback: () => void): void
  execute(siteKey: string, options: { action: BotCheckAction }): Promise<string>
}

declare global {
  interface Window {
    grecaptcha?: Partial<BotCheckLibrary>
  }
}

const POLL_MS = 100
/** After this the form reports a failure; the next attempt keeps waiting for the same script. */
const TIMEOUT_MS = 10_000

/** Its message is one of three fixed messages; a form may show its own instead. */
export class BotCheckFailure extends Error {}

/** Returns a function that requests a token. Tokens are never cached, so each submission requests a new one. */
export function useBotCheck(): (action: BotCheckAction) => Promise<string> {
  const { recaptchaScriptUrl, recaptchaSiteKey } = useFrameContents()
  return useCallback(
    (action) => getBotCheckToken(action, { recaptchaScriptUrl, recaptchaSiteKey }),
    [recaptchaScriptUrl, recaptchaSiteKey],
  )
}

/** @throws {BotCheckFailure} */
export async function getBotCheckToken(action: BotCheckAction, settings: BotCheckSettings): Promise<string> {
  const { recaptchaSiteKey, recaptchaScriptUrl } = settings
  if (recaptchaSiteKey === WITHOUT_BOT_CHECK) return WITHOUT_BOT_CHECK
  if (!recaptchaSiteKey || !recaptchaScriptUrl)
    throw new BotCheckFailure('reCAPTCHA is not configured. Please contact support.')

  const library = await withTimeout(TIMEOUT_MS, loadBotCheck(settings)).catch((cause: unknown) => {
    throw new BotCheckFailure('reCAPTCHA failed to load. Please check your internet connection and try again.', {
      cause,
    })
  })
  try {
    return await withTimeout(TIMEOUT_MS, library.execute(recaptchaSiteKey, { action }))
  } catch (cause) {
    throw new BotCheckFailure('reCAPTCHA verification failed. Please try again.', { cause })
  }
}

let loading: Promise<BotCheckLibrary> | null = null

/**
 * Loads the provider's script once; waits for a script that is already on the page.
 * @throws {Error} 'Failed to load reCAPTCHA script'; the next call retries
 */
export function loadBotCheck(settings: BotCheckSettings): Promise<BotCheckLibrary> {
  loading ??= load(settings).catch((cause: unknown) => {
    loading = null
    throw cause
  })
  return loading
}

function load(settings: BotCheckSettings): Promise<BotCheckLibrary> {
  const present = window.grecaptcha
  if (isReady(present)) return new Promise((resolve) => present.ready(() => resolve(present)))

  return new Promise((resolve, reject) => {
    const script = ensureBotCheckScript(settings)

    function fail() {
      clearInterval(poll)
      script.remove()
      reject(new Error('Failed to load reCAPTCHA script'))
    }

    function check() {
      if (isReady(window.grecaptcha)) {
        clearInterval(poll)
        const library = window.grecaptcha
        library.ready(() => resolve(library))
      } else if (!script.isConnected) fail()
    }

    script.addEventListener('error', fail)
    const poll = setInterval(check, POLL_MS)
    check()
  })
}

function isReady(library: Window['grecaptcha']): library is BotCheckLibrary {
  return typeof library?.ready === 'function' && typeof library.execute === 'function'
}

function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Too slow')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
