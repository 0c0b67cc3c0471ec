import type { Browser, Page, Response } from 'playwright-core'

/** A phone as Lighthouse has it. */
export const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
} as const

/** As long as the browser itself waits before it calls the network idle. */
const SETTLE_MS = 500

const KINDS = ['document', 'script', 'stylesheet', 'font', 'image', 'other'] as const
type Kind = (typeof KINDS)[number]

/** Bytes as they travelled, without headers, of everything the site sent before anyone touched the page. */
export interface PageWeight {
  bytes: Record<Kind, number>
  requests: number
  /** What other origins were asked for. */
  elsewhere: string[]
}

/** Loads a page for the first time and waits until it has nothing left to fetch. @param then what to do on it before it is weighed */
export async function weighPage(
  browser: Browser,
  url: string,
  then?: (page: Page) => Promise<void>,
): Promise<PageWeight> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    await page.goto(url, { waitUntil: 'networkidle' })
    if (then) {
      await then(page)
      await page.waitForTimeout(SETTLE_MS)
    }
    return await weigh(responses, new URL(url).origin)
  } finally {
    await context.close()
  }
}

async function weigh(responses: readonly Response[], origin: string): Promise<PageWeight> {
  const bytes = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  const own = responses.filter((response) => new URL(response.url()).origin === origin)
  for (const response of own) {
    const type = response.request().resourceType()
    const kind = KINDS.find((known) => known === type) ?? 'other'
    bytes[kind] += Number((await response.headerValue('content-length')) ?? 0)
  }
  const elsewhere = responses.map((response) => new URL(response.url())).filter((url) => url.origin !== origin)
  return {
    bytes,
    requests: own.length,
    elsewhere: [...new Set(elsewhere.map(({ host, pathname, protocol }) => `${protocol}//${host}${pathname}`))],
  }
}
