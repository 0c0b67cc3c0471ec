import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { decodeWoff2 } from './woff2.ts'

export type Weight = 400 | 700

/** A font file that covers some ranges of characters. */
export interface FontFile {
  name: string
  has(codePoint: number): boolean
  /** Returns the font as TrueType. @throws if the package is not installed */
  read(weight: Weight): Promise<Buffer>
}

const require = createRequire(import.meta.url)

/** Noto Sans by script; the Chinese package covers Japanese too. Each package has a file that lists the characters of its parts. */
const FAMILIES: { find(): string; only?: RegExp }[] = [
  { find: () => require.resolve('@fontsource/noto-sans/unicode.json') },
  { find: () => require.resolve('@fontsource/noto-sans-gujarati/unicode.json'), only: /gujarati/ },
  { find: () => require.resolve('@fontsource/noto-sans-gurmukhi/unicode.json'), only: /gurmukhi/ },
  { find: () => require.resolve('@fontsource/noto-sans-bengali/unicode.json'), only: /bengali/ },
  { find: () => require.resolve('@fontsource/noto-sans-tamil/unicode.json'), only: /tamil/ },
  { find: () => require.resolve('@fontsource/noto-sans-telugu/unicode.json'), only: /telugu/ },
  { find: () => require.resolve('@fontsource/noto-sans-kannada/unicode.json'), only: /kannada/ },
  { find: () => require.resolve('@fontsource/noto-sans-malayalam/unicode.json'), only: /malayalam/ },
  { find: () => require.resolve('@fontsource/noto-sans-oriya/unicode.json'), only: /oriya/ },
  { find: () => require.resolve('@fontsource/noto-sans-arabic/unicode.json'), only: /arabic/ },
  { find: () => require.resolve('@fontsource-variable/noto-sans-sc/unicode.json'), only: /^\[\d+\]$/ },
  { find: () => require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'), only: /^\[\d+\]$/ },
]

let listed: Promise<readonly FontFile[]> | null = null

/** All font files in search order. Read once, when the first document needs one. */
export function listFontFiles(): Promise<readonly FontFile[]> {
  listed ??= listFamilies().catch((error: unknown) => {
    listed = null
    throw error
  })
  return listed
}

async function listFamilies(): Promise<readonly FontFile[]> {
  const files: FontFile[] = []
  for (const { find, only = /./ } of FAMILIES) {
    const list = find()
    const parts = JSON.parse(await readFile(list, 'utf8')) as Record<string, string>
    // Latin is last in each list but is searched first.
    const entries = Object.entries(parts).filter(([part]) => only.test(part))
    files.push(...entries.reverse().map(([part, ranges]) => fontFile(dirname(list), part, ranges)))
  }
  return files
}

function fontFile(folder: string, part: string, text: string): FontFile {
  const family = folder.slice(folder.lastIndexOf('noto-sans'))
  const isVariable = folder.includes('-variable')
  const ranges = text.split(',').map((range) => {
    const [from = '', to = from] = range.replace('U+', '').split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const
  })
  return {
    name: `${family}-${part.replaceAll(/[[\]]/g, '')}`,
    has: (codePoint) => ranges.some(([from, to]) => codePoint >= from && codePoint <= to),
    async read(weight) {
      const file = `${family}-${part.replaceAll(/[[\]]/g, '')}-${isVariable ? 'wght' : weight}-normal.woff2`
      return decodeWoff2(await readFile(join(folder, 'files', file)))
    },
  }
}
