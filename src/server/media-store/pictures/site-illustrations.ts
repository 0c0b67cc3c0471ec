import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The illustrations of the site, served below /art. */
export const ART_DIRECTORY = join(import.meta.dirname, '../../../../public/art')

/** Ornaments, icons and placeholders, which officers cannot choose for content. */
const ORNAMENT = /^(?:border|map|mark|pattern|plate|portrait|spot|sponsor)\b/

/** Lists the names of illustrations that events, news and pages can show. */
export async function listIllustrations(): Promise<string[]> {
  const names = await readdir(ART_DIRECTORY).catch(() => [])
  return names
    .filter((name) => name.endsWith('.svg') && !ORNAMENT.test(name))
    .map((name) => name.slice(0, -'.svg'.length))
    .sort()
}
