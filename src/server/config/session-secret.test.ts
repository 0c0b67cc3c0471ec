import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { readOrMakeSessionSecret } from './session-secret.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-secret-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('it is made once, of 48 bytes, and read ever after', () => {
  const made = readOrMakeSessionSecret(join(folder, 'new'))
  expect(Buffer.from(made, 'base64url')).toHaveLength(48)
  expect(readOrMakeSessionSecret(join(folder, 'new'))).toBe(made)
})

test('nobody else on the machine may read it, and no draft stays', () => {
  readOrMakeSessionSecret(folder)
  expect(statSync(join(folder, 'session-secret')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['session-secret'])
})

test('the secret of an instance that was first is the secret of both', () => {
  writeFileSync(join(folder, 'session-secret'), 'made-by-the-other-instance-a-moment-ago\n')
  expect(readOrMakeSessionSecret(folder)).toBe('made-by-the-other-instance-a-moment-ago')
})

test.each(['', '\n', 'shorter than 32 bytes'])(
  '%j is no secret: the start ends with a sentence that names the cure',
  (text) => {
    const file = join(folder, 'session-secret')
    writeFileSync(file, text)
    expect(() => readOrMakeSessionSecret(folder)).toThrow(ConfigError)
    expect(() => readOrMakeSessionSecret(folder)).toThrow(
      `${file} is shorter than 32 bytes, as a power cut may leave it: put back the session-secret of a backup, or remove the file.`,
    )
    rmSync(file)
    expect(readOrMakeSessionSecret(folder)).toHaveLength(64)
  },
)
