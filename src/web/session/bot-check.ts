import { useCallback } from 'react'
import type { BotCheckAction } from '#contract/limits.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { placeBotCheckScript, type BotCheckSettings } from './bot-check-script.ts'

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
/** Longer than this nobody waits for a form: it says so, and the next attempt goes on waiting for the same script. */
const PATIENCE_MS = 10_000

/** Its message is one of the three fixed sentences; a form may have one of its own instead. */
export class BotCheckFailure extends Error {}

/** Asks for a token for one sending; nothing keeps it, so a failed sending asks anew. */
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
  if (!recaptchaSiteKey || !recaptchaScriptUrl)
    throw new BotCheckFailure('reCAPTCHA is not configured. Please contact support.')

  const library = await within(PATIENCE_MS, loadBotCheck(settings)).catch((cause: unknown) => {
    throw new BotCheckFailure('reCAPTCHA failed to load. Please check your internet connection and try again.', {
      cause,
    })
  })
  try {
    return await within(PATIENCE_MS, library.execute(recaptchaSiteKey, { action }))
  } catch (cause) {
    throw new BotCheckFailure('reCAPTCHA verification failed. Please try again.', { cause })
  }
}

let loading: Promise<BotCheckLibrary> | null = null

/**
 * Loads the provider's script once; a script that is there already is waited for, not loaded again.
 * @throws {Error} 'Failed to load reCAPTCHA script'; the next call tries again.
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
    const script = placeBotCheckScript(settings)

    function fail() {
      clearInterval(poll)
      script.remove()
      reject(new Error('Failed to load reCAPTCHA script'))
    }

    function look() {
      if (isReady(window.grecaptcha)) {
        clearInterval(poll)
        const library = window.grecaptcha
        library.ready(() => resolve(library))
      } else if (!script.isConnected) fail()
    }

    script.addEventListener('error', fail)
    const poll = setInterval(look, POLL_MS)
    look()
  })
}

function isReady(library: Window['grecaptcha']): library is BotCheckLibrary {
  return typeof library?.ready === 'function' && typeof library.execute === 'function'
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Too slow')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
