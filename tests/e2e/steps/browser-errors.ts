import type { BrowserContext } from 'playwright-core'

/** What went wrong in a browser while nobody looked: one line each, filled as it happens. */
export type Troubles = string[]

/**
 * Console errors and warnings (breaches of the content security policy are among them), uncaught errors, requests that failed,
 * and requests to anybody but the site and its stand-ins, of every page of the context.
 */
export function watchTroubles(context: BrowserContext, knownOrigins: string[]): Troubles {
  const troubles: Troubles = []
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    troubles.push(`console ${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (webError) => {
    const error = webError.error()
    troubles.push(`uncaught: ${error.stack ?? error.message}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown'
    // The browser itself drops what is under way when a page is left.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`failed: ${reason} (${request.url()})`)
  })
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !knownOrigins.includes(origin)) troubles.push(`stranger: ${request.url()}`)
  })
  return troubles
}

export function unexpected(troubles: Troubles, expected: RegExp[]): string[] {
  return troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))
}

/** What was expected and did not come. */
export function missing(troubles: Troubles, expected: RegExp[]): string[] {
  return expected
    .filter((pattern) => !troubles.some((trouble) => pattern.test(trouble)))
    .map((pattern) => `expected and missing: ${pattern}`)
}
