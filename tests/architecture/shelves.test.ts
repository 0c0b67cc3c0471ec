import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, readImports, ROOT } from './modules.ts'

const MAX_FILES = 25
/** Only grows, in order of time: every database runs all of it. */
const MIGRATIONS = 'src/server/db/migrations'

const KINDS =
  'service|repository|queries|commands|rules|routes|emails|effects|order|job|worker|schema|registry|kinds|documents|samples'

const files = listFiles(/^(?:src|tests|standins|tools)\/.*\.(?:tsx?|mjs|css)$/)

test(`no folder has more than ${MAX_FILES} files of one level`, () => {
  const folders = Map.groupBy(files, dirname)
  const full = [...folders].filter(([folder, { length }]) => length > MAX_FILES && folder !== MIGRATIONS)
  expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
})

test('every file of a feature has an ending that tells its kind', () => {
  const kind = new RegExp(`\\.(?:${KINDS})(?:\\.test)?\\.ts$|\\.http\\.test\\.ts$`)
  expect(files.filter((file) => file.startsWith('src/server/features/') && !kind.test(file))).toEqual([])
})

test('no two file names differ only by an s', () => {
  const names = new Set(files.filter((file) => /^src\/.*(?<!\.test)\.tsx?$/.test(file)).map((file) => basename(file)))
  const plural = (name: string) => name.replace(/^[^.]+/, (stem) => `${stem}s`)
  expect([...names].filter((name) => names.has(plural(name)))).toEqual([])
})

test('a module of the server with fewer than 25 lines has two users, its own test or a kind', () => {
  const users = new Map<string, Set<string>>()
  for (const file of files.filter((name) => /\.tsx?$/.test(name)))
    for (const { to } of readImports(file)) users.set(to, (users.get(to) ?? new Set()).add(file))
  const isShort = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n').length <= 25
  const lonely = files
    .filter((file) => /^src\/server\/(?!admin\/)[^.]+\.ts$/.test(file) && !file.startsWith(MIGRATIONS))
    .filter((file) => isShort(file) && (users.get(file)?.size ?? 0) === 1)
  expect(lonely).toEqual([])
})
