/**
 * A page that is opened again, by Reload or by Back from another site, is laid out whole: the browser returns to where the visitor was, which is elsewhere
 * while sections above have only an estimated height (`content-visibility` in layout.css).
 * NOTE: serialized into the document and run on its own there, so it must not reference anything outside itself.
 */
function layOutWhole() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (!navigation || navigation.type === 'navigate') return
  const rules = new CSSStyleSheet()
  rules.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets.push(rules)
}

/** The text of an inline script at the end of the document, before anything is laid out. Only the server calls this. */
export function keepPlaceScript(): string {
  return `(${layOutWhole.toString()})()`
}
