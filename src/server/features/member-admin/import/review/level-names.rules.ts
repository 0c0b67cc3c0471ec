import { EARLIER_NAMES_MAX, type EarlierName } from '#contract/console/people/earlier-levels.ts'
import { matchLevel, suggestLevel, type EarlierLevels } from '#server/features/levels/earlier-levels.rules.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'

interface NamedLevel {
  key: string
  name: string
}

/** More characters than the name of a level and its price have. */
const LEVEL_MAX = 200

/** The text of a cell with a level. Cut, since the patterns below are slow on long runs of spaces. */
export function levelText(cell: string): string {
  return cell.slice(0, LEVEL_MAX).trim()
}

/** The level whose name or key a text is. */
export function findOwnLevel(text: string, levels: readonly NamedLevel[]): NamedLevel | null {
  const wanted = plain(text)
  return levels.find(({ key, name }) => plain(key) === wanted || plain(name) === wanted) ?? null
}

/**
 * The names in the level column of a file that are not names of levels, and the level that each is; those with most rows first. Rows without a level have the empty
 * name.
 * @param texts the cells of the column
 */
export function earlierNames(
  texts: readonly string[],
  { levels, chosen }: { levels: readonly NamedLevel[]; chosen: EarlierLevels },
): EarlierName[] {
  const own = new Set(levels.flatMap(({ key, name }) => [plain(key), plain(name)]))
  const others = texts.map(levelText).filter((text) => !own.has(plain(text)))
  return [...Map.groupBy(others, headingKey)]
    .map(([key, same]) => ({ key, text: same[0] ?? '', rows: same.length }))
    .toSorted((one, other) => other.rows - one.rows || (one.key < other.key ? -1 : 1))
    .slice(0, EARLIER_NAMES_MAX)
    .map(({ key, text, rows }) => {
      const suggest = () => suggestForName(text, { levels, chosen })
      return { key, name: key === '' ? '' : text, rows, ...matchLevel(key, { levels, chosen, suggest }) }
    })
}

/** What officers chose for the names of a file, for its next check. */
export function choicesOf(names: readonly EarlierName[] | null): [string, string | null][] {
  return (names ?? [])
    .filter(({ choice }) => choice === 'chosen' || choice === 'left-out')
    .map(({ key, levelKey }) => [key, levelKey])
}

/** Other systems write the price or the kind of a level after its name: "Annual - $100.00 (USD)", "Family (bundle)". */
function suggestForName(
  text: string,
  known: { levels: readonly NamedLevel[]; chosen: EarlierLevels },
): NamedLevel | null {
  const texts = [
    text,
    text.replace(/\s*(?:\([^)]*\)|[-–—:]\s*[$€£]?\s?\d[^a-z]*)\s*$/i, ''),
    text.replace(/\s*[-–—(]\s*[$€£]?\s?\d.*$/, ''),
  ]
  const first = (find: (plain: string) => NamedLevel | null) => texts.map(find).find((level) => level !== null) ?? null
  return first((plain) => findOwnLevel(plain, known.levels)) ?? first((plain) => suggestLevel(plain, known))
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
