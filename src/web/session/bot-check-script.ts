export interface BotCheckSettings {
  recaptchaScriptUrl: string
  recaptchaSiteKey: string
}

/**
 * Returns the provider's script element, adding it if necessary. The code that waits for it is loaded with the forms,
 * in bot-check.ts.
 */
export function ensureBotCheckScript({ recaptchaScriptUrl, recaptchaSiteKey }: BotCheckSettings): HTMLScriptElement {
  const { href } = new URL(`${recaptchaScriptUrl}?render=${encodeURIComponent(recaptchaSiteKey)}`, document.baseURI)
  const present = [...document.scripts].find(({ src }) => src === href)
  if (present) return present
  const script = document.createElement('script')
  script.src = href
  script.async = true
  document.head.append(script)
  return script
}
