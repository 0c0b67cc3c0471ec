import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The drawings that come with the site; browsers get them below /art. */
export const ART_DIRECTORY = join(import.meta.dirname, '../../../public/art')

/** Ornaments, small signs, and what stands in for people and logos: no picture of anything an officer writes about. */
const ORNAMENT = /^(?:border|map|mark|pattern|plate|portrait|spot|sponsor)\b/

/** The names by which events, news and pages may show one. */
export async function listDrawings(): Promise<string[]> {
  const names = await readdir(ART_DIRECTORY).catch(() => [])
  return names
    .filter((name) => name.endsWith('.svg') && !ORNAMENT.test(name))
    .map((name) => name.slice(0, -'.svg'.length))
    .sort()
}
