import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { readOrCreateSessionSecret } from './session-secret.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-secret-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('it is generated once, with 48 bytes, and reused', () => {
  const made = readOrCreateSessionSecret(join(folder, 'new'))
  expect(Buffer.from(made, 'base64url')).toHaveLength(48)
  expect(readOrCreateSessionSecret(join(folder, 'new'))).toBe(made)
})

test('only its owner may read it, and no temporary file remains', () => {
  readOrCreateSessionSecret(folder)
  expect(statSync(join(folder, 'session-secret')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['session-secret'])
})

test('concurrent starts use the secret that was written first', () => {
  writeFileSync(join(folder, 'session-secret'), 'made-by-the-other-instance-a-moment-ago\n')
  expect(readOrCreateSessionSecret(folder)).toBe('made-by-the-other-instance-a-moment-ago')
})

test.each(['', '\n', 'shorter than 32 bytes'])(
  '%j is not a valid secret: the start fails with a message that names the fix',
  (text) => {
    const file = join(folder, 'session-secret')
    writeFileSync(file, text)
    expect(() => readOrCreateSessionSecret(folder)).toThrow(ConfigError)
    expect(() => readOrCreateSessionSecret(folder)).toThrow(
      `${file} is shorter than 32 bytes, possibly after a power failure: restore the session-secret file from a backup, or delete it.`,
    )
    rmSync(file)
    expect(readOrCreateSessionSecret(folder)).toHaveLength(64)
  },
)
