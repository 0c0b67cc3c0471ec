import { placeBotCheckScript, type BotCheckSettings } from './bot-check-script.ts'
import { startSession } from './session.ts'

/**
 * What the browser does once, when the first page has come alive: the session first, then, when the page has
 * nothing better to do, the bot-check script (docs/product-rules.md#third-parties). A failure is logged and nothing else. Returns what stops it.
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
    const script = placeBotCheckScript(settings)
    script.addEventListener('error', () => {
      // Away with it, so that a form tries anew.
      script.remove()
      console.warn('Failed to load reCAPTCHA script')
    })
  })
  return () => {
    cancelIdle()
    stopSession()
  }
}

/** Safari has no requestIdleCallback; a moment after the page was loaded is as good. */
function whenIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 1_000)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(work, { timeout: 5_000 })
  return () => window.cancelIdleCallback(handle)
}
