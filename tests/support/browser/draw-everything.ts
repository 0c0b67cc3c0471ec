import type { Page } from 'playwright-core'

/** Draws what a browser leaves out until it comes near, so that all of a page can be measured and photographed. */
export async function drawEverything(page: Page): Promise<void> {
  await page.evaluate((mark) => {
    if (document.documentElement.hasAttribute(mark)) return
    document.documentElement.setAttribute(mark, '')
    const rules = new CSSStyleSheet()
    // Not what is hidden until someone opens or finds it.
    rules.replaceSync(':not([hidden]) { content-visibility: visible !important }')
    document.adoptedStyleSheets.unshift(rules)
  }, 'data-drawn')
}
