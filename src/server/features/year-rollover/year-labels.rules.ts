import type { ContentField, ContentValue } from '#contract/console-content.ts'

/** So many signs are shown around a label. */
const AROUND = 48

/** Controls whose words visitors read. */
const WORDS: readonly ContentField['control'][] = ['line', 'text', 'markdown', 'lines']
/** What is no word of a sentence though it is written in a line. */
const NO_WORDS = ['id', 'term', 'version', 'url', 'mapLink', 'linkPath', 'path', 'website', 'spot', 'iconName', 'email']

/** The words with another year where they name the old one, however it is written: 2025-26, 2025–2026, 2025/26. */
export function moveYear(text: string, from: string, to: string): string {
  const [first = '', last = ''] = from.split('-')
  const century = String(Number(first) + 1).slice(0, 2)
  const label = new RegExp(String.raw`(?<![\d-])${first}(\s?[-–—/]\s?)(${century})?${last}(?![\d-])`, 'g')
  const [newFirst = '', newLast = ''] = to.split('-')
  return text.replaceAll(
    label,
    (_all, between: string, long: string | undefined) =>
      `${newFirst}${between}${long === undefined ? newLast : Number(newFirst) + 1}`,
  )
}

/** Every text of a record, with the way to it, such as `facts.0.value`, and the label of its field. */
export function textsOf(
  fields: readonly (Omit<ContentField, 'fields'> & { fields?: ContentField['fields'] })[],
  value: ContentValue,
): { path: string; label: string; text: string }[] {
  return fields.flatMap(({ name, label, control, fields: inner = [] }) => {
    const part = name.split('.').reduce<unknown>((whole, one) => (whole as ContentValue | undefined)?.[one], value)
    if (control === 'group')
      return (Array.isArray(part) ? (part as ContentValue[]) : []).flatMap((thing, place) =>
        textsOf(inner, thing).map((found) => ({ ...found, path: `${name}.${place}.${found.path}` })),
      )
    if (!WORDS.includes(control) || NO_WORDS.includes(name.split('.').at(-1) ?? '')) return []
    if (typeof part === 'string') return [{ path: name, label, text: part }]
    const lines = Array.isArray(part) ? (part as unknown[]) : []
    return lines.flatMap((line, place) =>
      typeof line === 'string' ? [{ path: `${name}.${place}`, label, text: line }] : [],
    )
  })
}

/** The same record with another text at the end of a way of `textsOf`. */
export function withText<T>(value: T, path: string, text: string): T {
  const [first = '', ...rest] = path.split('.')
  if (Array.isArray(value))
    return value.map((one: unknown, place) =>
      place === Number(first) ? (rest.length > 0 ? withText(one, rest.join('.'), text) : text) : one,
    ) as T
  const inner = (value as ContentValue)[first]
  return { ...value, [first]: rest.length > 0 ? withText(inner, rest.join('.'), text) : text }
}

/** The words around the first difference of two texts, of each as much. */
export function excerpts(before: string, after: string): { before: string; after: string } {
  let place = 0
  while (place < before.length && before[place] === after[place]) place++
  return { before: excerpt(before, place), after: excerpt(after, place) }
}

function excerpt(text: string, place: number): string {
  const from = place <= AROUND ? 0 : text.indexOf(' ', place - AROUND) + 1
  const end = place + AROUND >= text.length ? text.length : text.lastIndexOf(' ', place + AROUND)
  const words = text.slice(from, end > place ? end : place + AROUND).replaceAll(/\s+/g, ' ')
  return `${from > 0 ? '… ' : ''}${words.trim()}${end < text.length ? ' …' : ''}`
}
