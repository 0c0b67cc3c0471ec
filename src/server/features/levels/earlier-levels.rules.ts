import type { LevelMatch } from '#contract/console/people/earlier-levels.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'

/**
 * What officers chose for names and prices of earlier systems: the key of a level, or null to leave them out. The key of a name is its `headingKey`; that of a
 * price begins with it, followed by a space.
 */
export type EarlierLevels = ReadonlyMap<string, string | null>

interface NamedLevel {
  key: string
  name: string
}

/** What officers chose for a key comes first, unless the level is gone; then what is suggested. */
export function matchLevel(
  key: string,
  {
    levels,
    chosen,
    suggest,
  }: { levels: readonly NamedLevel[]; chosen: EarlierLevels; suggest: () => NamedLevel | null },
): LevelMatch {
  const known = chosen.get(key)
  if (known === null) return { choice: 'left-out', levelKey: null }
  if (known !== undefined && levels.some((level) => level.key === known)) return { choice: 'chosen', levelKey: known }
  const suggested = suggest()
  return suggested ? { choice: 'suggested', levelKey: suggested.key } : { choice: 'none', levelKey: null }
}

/**
 * The level that a name of an earlier system probably is: the one that officers chose for this name elsewhere, then the one of the same name, then of a similar one. Never
 * one of several.
 */
export function suggestLevel<Level extends NamedLevel>(
  name: string,
  { levels, chosen }: { levels: readonly Level[]; chosen: EarlierLevels },
): Level | null {
  const written = headingKey(name)
  if (written === '') return null
  const isOfName = (key: string) => key === written || key.startsWith(`${written} `)
  const elsewhere = new Set([...chosen].flatMap(([key, level]) => (isOfName(key) ? [level] : [])))
  const keyOf = (level: Level) => headingKey(level.name)
  return (
    only(levels.filter(({ key }) => elsewhere.has(key))) ??
    only(levels.filter((level) => keyOf(level) === written)) ??
    only(
      levels.filter(
        (level) => keyOf(level) !== '' && (written.includes(keyOf(level)) || keyOf(level).includes(written)),
      ),
    )
  )
}

/** The item of a list with one. */
export function only<Item>(items: readonly Item[]): Item | null {
  return items.length === 1 ? (items[0] ?? null) : null
}
