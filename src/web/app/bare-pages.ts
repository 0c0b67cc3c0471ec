import { paths } from './paths.ts'

/**
 * Whether a page has neither the site's header nor its footer: the console and the card. It has nothing to show before its script has run, so the script
 * starts at once; everywhere else it waits for the first paint (`start-scripts.ts`).
 */
export function isBarePage(pathname: string): boolean {
  const path = pathname.toLowerCase().replace(/\/$/, '')
  return path === paths.card() || `${path}/`.startsWith(`${paths.console()}/`)
}
