/**
 * What the router tells in place of reloading by itself, when the script of a page cannot be had (`vite.config.ts`). It is prevented by whoever opens
 * the page anew; otherwise the page stays empty.
 */
export const PIECE_MISSING = 'site:piece-missing'
