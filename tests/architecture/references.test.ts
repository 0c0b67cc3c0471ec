import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const TEXT = /\.(?:ts|tsx|mjs|css|md|ya?ml|conf|service)$|Caddyfile$|\.env\.example$/
/** Written by programs, from titles that people give. */
const GENERATED = /^docs\/(?:trust|bench|licences)\.md$/

/** Documents that a reader of the repository cannot open, as they used to be cited. */
const OUTSIDE = [
  /\bissue \d+\b/,
  /\bdecisions? [A-E]\d{1,2}\b/,
  /\([A-E]\d{1,2}(?:, [A-E]\d{1,2})*\)/,
  /\bspecification(?: section)? \d/,
  /\bspecification\.md\b/,
  /\bdesign(?: section)? \d+\b/,
  /\(interface[,:]/,
  /(?<![\w/])(?:interface|decisions|design|stack|look|house-style|officer-review|code-review)\.md\b/,
] as const

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => TEXT.test(file) && !GENERATED.test(file) && file !== 'tests/architecture/references.test.ts')
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

/** What cites a document outside the repository, by line. */
function citations(text: string): string[] {
  return text.split('\n').filter((line) => OUTSIDE.some((pattern) => pattern.test(line)))
}

/** As GitHub makes the anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

function anchorsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

/** Why a path of the repository, with or without an anchor, leads nowhere; null when it leads somewhere. */
function fault(path: string): string | null {
  const [file = '', anchor] = path.split('#')
  if (!existsSync(join(ROOT, file))) return `${path}: no such file`
  if (anchor && !anchorsIn(readFileSync(join(ROOT, file), 'utf8')).includes(anchor)) return `${path}: no such heading`
  return null
}

test('nothing cites a document that is not in the repository', () => {
  const found = files.flatMap(({ file, text }) => citations(text).map((line) => `${file}: ${line.trim()}`))
  expect(found).toEqual([])
})

test.each([
  '// Kept for a day (B1).',
  '/** As decision C4 says. */',
  'see issue 8, 3',
  '(specification 5)',
  'design 7',
])('a planted citation is found: %s', (line) => {
  expect(citations(line)).toEqual([line])
})

test('every rule that code links to is there', () => {
  const cited = files.flatMap(({ text }) => [...text.matchAll(/docs\/product-rules\.md#[\w-]+/g)].map(([path]) => path))
  expect(cited.length).toBeGreaterThan(100)
  expect([...new Set(cited)].map(fault).filter((reason) => reason !== null)).toEqual([])
  expect(fault('docs/product-rules.md#no-such-rule')).toBe('docs/product-rules.md#no-such-rule: no such heading')
})

test('every link from one document to another leads somewhere', () => {
  const broken = files
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g)].map(([, link = '']) =>
        link.startsWith('#') ? `${file}${link}` : normalize(join(dirname(file), link)),
      ),
    )
    .map(fault)
    .filter((reason) => reason !== null)
  expect(broken).toEqual([])
})
