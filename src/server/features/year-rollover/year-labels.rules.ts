import { valueAt, type ContentField, type ContentValue } from '#contract/console/content.ts'

/** How many characters are shown around a label. */
const CONTEXT_LENGTH = 48

/** Controls whose text visitors read. */
const PROSE_CONTROLS: readonly ContentField['control'][] = ['line', 'text', 'markdown', 'lines']
/** Single-line fields that are not prose. */
const NON_PROSE_FIELDS = [
  'id',
  'term',
  'version',
  'url',
  'mapLink',
  'linkPath',
  'path',
  'website',
  'spot',
  'iconName',
  'email',
]

/** Replaces the year in a text, in any spelling: 2025-26, 2025–2026, 2025/26. */
export function updateYear(text: string, from: string, to: string): string {
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

/** Returns every text of a record with its path, e.g. `facts.0.value`, and the label of its field. */
export function collectTexts(
  fields: readonly (Omit<ContentField, 'fields'> & { fields?: ContentField['fields'] })[],
  value: ContentValue,
): { path: string; label: string; text: string }[] {
  return fields.flatMap(({ name, label, control, fields: inner = [] }) => {
    const part = valueAt(value, name)
    if (control === 'group')
      return (Array.isArray(part) ? (part as ContentValue[]) : []).flatMap((thing, index) =>
        collectTexts(inner, thing).map((found) => ({ ...found, path: `${name}.${index}.${found.path}` })),
      )
    if (!PROSE_CONTROLS.includes(control) || NON_PROSE_FIELDS.includes(name.split('.').at(-1) ?? '')) return []
    if (typeof part === 'string') return [{ path: name, label, text: part }]
    const lines = Array.isArray(part) ? (part as unknown[]) : []
    return lines.flatMap((line, index) =>
      typeof line === 'string' ? [{ path: `${name}.${index}`, label, text: line }] : [],
    )
  })
}

/** Returns the record with another text at a path of `collectTexts`. */
export function withText<T>(value: T, path: string, text: string): T {
  const [first = '', ...rest] = path.split('.')
  if (Array.isArray(value))
    return value.map((one: unknown, index) =>
      index === Number(first) ? (rest.length > 0 ? withText(one, rest.join('.'), text) : text) : one,
    ) as T
  const inner = (value as ContentValue)[first]
  return { ...value, [first]: rest.length > 0 ? withText(inner, rest.join('.'), text) : text }
}

/** Returns the text around the first difference of two texts. */
export function excerpts(before: string, after: string): { before: string; after: string } {
  let index = 0
  while (index < before.length && before[index] === after[index]) index++
  return { before: excerpt(before, index), after: excerpt(after, index) }
}

function excerpt(text: string, index: number): string {
  const from = index <= CONTEXT_LENGTH ? 0 : text.indexOf(' ', index - CONTEXT_LENGTH) + 1
  const end = index + CONTEXT_LENGTH >= text.length ? text.length : text.lastIndexOf(' ', index + CONTEXT_LENGTH)
  const excerpted = text.slice(from, end > index ? end : index + CONTEXT_LENGTH).replaceAll(/\s+/g, ' ')
  return `${from > 0 ? '… ' : ''}${excerpted.trim()}${end < text.length ? ' …' : ''}`
}
