import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Worker } from 'node:worker_threads'
import { parseSync } from 'vite'
import { TREE } from '../faults/processes.ts'

export interface FoundRegex {
  source: string
  flags: string
  /** `src/…:line` */
  place: string
}

export interface TimedRegex extends FoundRegex {
  /** The slowest of all hostile strings; Infinity when it timed out. */
  ms: number
  /** The beginning of that string. */
  by: string
}

const LENGTH = 100_000
const PATIENCE_MS = 20_000

/** Every regular expression in the sources of browser, contract and server. */
export function collectRegexes(folder = 'src'): FoundRegex[] {
  const files = readdirSync(join(TREE, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const { program } = parseSync(file, text)
    const found: FoundRegex[] = []
    walk(program, (node) => {
      if (node['type'] !== 'Literal' || !isRegex(node['regex'])) return
      const line = text.slice(0, Number(node['start'])).split('\n').length
      const { pattern: source, flags } = node['regex']
      found.push({ source, flags, place: `${relative(TREE, file)}:${line}` })
    })
    return found
  })
}

function isRegex(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value
}

function walk(value: unknown, visit: (node: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit)
    return
  }
  const node = value as Record<string, unknown>
  visit(node)
  for (const [name, child] of Object.entries(node)) if (name !== 'parent') walk(child, visit)
}

/** Runs each expression on hostile strings of 100 kB, in a thread that is terminated on timeout. */
export async function timeRegexes(regexes: readonly FoundRegex[]): Promise<TimedRegex[]> {
  const timed: TimedRegex[] = []
  for (const regex of regexes) timed.push({ ...regex, ...(await timeOne(regex)) })
  return timed
}

function timeOne({ source, flags }: FoundRegex): Promise<{ ms: number; by: string }> {
  return new Promise((resolve) => {
    const worker = new Worker(PROGRAM, { eval: true, workerData: { source, flags, strings: hostileTo(source) } })
    let last = ''
    const giveUp = setTimeout(() => {
      resolve({ ms: Infinity, by: last })
      void worker.terminate()
    }, PATIENCE_MS)
    worker.on('message', (message: { begun: string } | { ms: number; by: string }) => {
      if ('begun' in message) return void (last = message.begun)
      clearTimeout(giveUp)
      resolve(message)
      void worker.terminate()
    })
  })
}

/** Each string three times, the fastest counts: other load on the machine must not count. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const { source, flags, strings } = workerData
let worst = { ms: 0, by: '' }
for (const text of strings) {
  parentPort.postMessage({ begun: text.slice(0, 12) })
  let best = Infinity
  for (let time = 0; time < 3; time++) {
    const regex = new RegExp(source, flags)
    const begun = performance.now()
    if (regex.global) text.replace(regex, '')
    else regex.test(text)
    best = Math.min(best, performance.now() - begun)
    if (best < 5) break
  }
  if (best > worst.ms) worst = { ms: best, by: text.slice(0, 12) }
}
parentPort.postMessage(worst)
`

const SAMPLES = [
  'a',
  'A',
  '0',
  ' ',
  '\t',
  '\n',
  '-',
  '_',
  '.',
  '@',
  '/',
  '\\',
  '"',
  "'",
  '<',
  '>',
  '&',
  '=',
  ';',
  ',',
  ':',
  '#',
  '?',
  '%',
  '(',
  '[',
  '{',
  '!',
  '*',
  'é',
  '\u0000',
  '\u00a0',
]

/** Repetitions of each character in the expression or its classes, and of pairs of them, with and without a non-matching end. */
function hostileTo(source: string): string[] {
  const literals = [...new Set(source.replace(/\\[a-zA-Z]\{?\d*/g, '').replace(/[\\^$.*+?()[\]{}|]/g, ''))].slice(0, 14)
  const singles = [...new Set([...SAMPLES, ...literals])]
  const pairs = literals.flatMap((one) => ['a', ' ', ...literals.slice(0, 6)].map((other) => one + other))
  const ends = ['', '\u0001', '!x', '\n']
  return [
    ...singles.flatMap((unit) => ends.map((end) => unit.repeat(LENGTH / unit.length) + end)),
    ...[...new Set(pairs)].map((unit) => `${unit.repeat(Math.floor(LENGTH / unit.length))}\u0001`),
    ...literals.slice(0, 6).map((first) => `${first}${'a'.repeat(LENGTH)}\u0001`),
    ...literals.slice(0, 6).map((first) => `${first}${' '.repeat(LENGTH)}x`),
  ]
}
