export interface BotCheckSettings {
  recaptchaScriptUrl: string
  recaptchaSiteKey: string
}

/** The provider's script in the page: the one that is there, or one that begins to load. What waits for it comes with the forms, in bot-check.ts. */
export function placeBotCheckScript({ recaptchaScriptUrl, recaptchaSiteKey }: BotCheckSettings): HTMLScriptElement {
  const { href } = new URL(`${recaptchaScriptUrl}?render=${encodeURIComponent(recaptchaSiteKey)}`, document.baseURI)
  const present = [...document.scripts].find(({ src }) => src === href)
  if (present) return present
  const script = document.createElement('script')
  script.src = href
  script.async = true
  document.head.append(script)
  return script
}
