import { stringify } from 'yaml'
import type { ContentDifference, ContentField, ContentValue } from '#contract/console/content.ts'

type Line = ContentDifference['lines'][number]

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 1
/** Longer texts are shown as removed and added in whole, because the comparison takes time proportional to the product of their lines. */
const MAX_LINES = 1_500

/** A line diff of each changed field. `before` is null for the first revision. */
export function diffFields(
  fields: readonly ContentField[],
  before: ContentValue | null,
  after: ContentValue,
): ContentDifference[] {
  const names = [...new Set(fields.map(({ name }) => name.split('.')[0] ?? ''))]
  return names.flatMap((name) => {
    const [old, now] = [linesOf(before?.[name]), linesOf(after[name])]
    if (old.join('\n') === now.join('\n')) return []
    const label = fields.find((field) => field.name === name)?.label ?? name
    return [{ field: label, lines: collapseUnchanged(compare(old, now)) }]
  })
}

function linesOf(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return []
  const text = typeof value === 'string' ? value : stringify(value, { lineWidth: 0 }).trimEnd()
  return text.split('\n')
}

/** A diff by longest common subsequence. */
function compare(old: readonly string[], now: readonly string[]): Line[] {
  if (old.length * now.length > MAX_LINES * MAX_LINES)
    return [...old.map((text) => line('removed', text)), ...now.map((text) => line('added', text))]
  const common = commonLengths(old, now)
  const lengthAt = (i: number, j: number) => common[i * (now.length + 1) + j] ?? 0
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(line('same', old[i++] ?? ''))
      j++
    } else if (i < old.length && (j === now.length || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(line('removed', old[i++] ?? ''))
    } else lines.push(line('added', now[j++] ?? ''))
  }
  return lines
}

/** Index `i * (now.length + 1) + j` has the length of the longest common subsequence of `old` from i and `now` from j. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0)
  return common
}

function collapseUnchanged(lines: readonly Line[]): Line[] {
  const isNearChange = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ change }) => change !== 'same')
  const shown: Line[] = []
  for (const [index, one] of lines.entries()) {
    if (isNearChange(index)) shown.push(one)
    else if (shown.at(-1)?.change !== 'gap') shown.push(line('gap', ''))
  }
  return shown
}

function line(change: Line['change'], text: string): Line {
  return { change, text }
}
