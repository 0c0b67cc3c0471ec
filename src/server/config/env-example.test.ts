import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePassSettings } from '#tests/support/files/pass-certificates.ts'
import { readConfig } from './config.ts'

const text = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8')
/** Certificates are checked, and too long for examples. */
const certificates = new Map<string, string>(Object.entries(makePassSettings()))
const settings = new Map(
  [...text.matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    certificates.get(name) ?? value,
  ]),
)

/** An environment that records which variables are read. */
function recordReads(given: Record<string, string>): {
  environment: Record<string, string | undefined>
  read: Set<string>
} {
  const read = new Set<string>()
  const environment = new Proxy(given, {
    get(target, name) {
      read.add(String(name))
      return target[String(name)]
    },
  })
  return { environment, read }
}

test('every line of .env.example is commented out or empty, so that it works unedited', () => {
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
})

test('it documents exactly the variables that are read', () => {
  const plain = recordReads({})
  const full = recordReads(Object.fromEntries([...settings].filter(([name]) => name !== 'NODE_ENV')))
  readConfig(plain.environment)
  readConfig(full.environment)
  expect([...settings.keys()].sort()).toEqual([...plain.read.union(full.read)].sort())
})

test('every setting has a sentence that explains it', () => {
  const lines = text.split('\n')
  const alone = lines.filter((line, index) => {
    if (!/^#[A-Z]/.test(line)) return false
    const above = lines.slice(0, index).findLast((before) => !/^#[A-Z]/.test(before))
    return !above?.startsWith('# ')
  })
  expect(alone).toEqual([])
})

test.each([...settings].filter(([name]) => name !== 'NODE_ENV'))(
  '%s is valid when its line is uncommented',
  (name, value) => {
    const group = [...settings].filter(([other]) => other.split('_')[0] === name.split('_')[0])
    const environment = { ...Object.fromEntries(group), MAIL_FROM: 'office@example.org', [name]: value }
    expect(() => readConfig(environment)).not.toThrow()
  },
)
