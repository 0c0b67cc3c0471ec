import { ensureBotCheckScript, type BotCheckSettings } from './bot-check-script.ts'
import { startSession } from './session.ts'

/**
 * Runs once after hydration: starts the session and, when the browser is idle, loads the bot-check script
 * (docs/product-rules.md#third-parties). Failures are only logged. Returns a function that stops both.
 */
export function startBrowser(settings: BotCheckSettings): () => void {
  let stopSession = () => {}
  try {
    stopSession = startSession()
  } catch (failure) {
    console.warn('The session could not be started', failure)
  }
  const cancelIdle = whenIdle(() => {
    if (!settings.recaptchaSiteKey || !settings.recaptchaScriptUrl) return
    const script = ensureBotCheckScript(settings)
    script.addEventListener('error', () => {
      // Remove the failed script tag so that the next submission can load it again.
      script.remove()
      console.warn('Failed to load reCAPTCHA script')
    })
  })
  return () => {
    cancelIdle()
    stopSession()
  }
}

/** Safari has no requestIdleCallback; a short delay does as well. */
function whenIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 1_000)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(work, { timeout: 5_000 })
  return () => window.cancelIdleCallback(handle)
}
