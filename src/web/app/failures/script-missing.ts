/**
 * Event that the router dispatches instead of reloading when a page's script cannot be loaded (`vite.config.ts`).
 * `reopen-on-missing-script.ts` prevents its default and opens the page as a document; otherwise the page stays empty.
 */
export const SCRIPT_MISSING = 'site:piece-missing'
