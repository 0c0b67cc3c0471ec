import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { resolveInstanceName } from './instance.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-instance-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const nameOf = (environment: Record<string, string>) =>
  resolveInstanceName(readConfig({ DATA_DIR: folder, PORT: '3000', ...environment }))

test('an instance has the same name after every start', () => {
  const name = nameOf({})
  expect(name).toMatch(/^[0-9a-f]{24}:3000$/)
  expect(nameOf({})).toBe(name)
})

test('instances with another port or data directory have other names', () => {
  const other = join(folder, 'other')
  expect(new Set([nameOf({}), nameOf({ PORT: '3001' }), nameOf({ DATA_DIR: other })]).size).toBe(3)
})

test('INSTANCE_NAME names it where the data directory does not survive the process', () => {
  expect(nameOf({ INSTANCE_NAME: 'website-1', DATA_DIR: join(folder, 'fresh') })).toBe('website-1')
})

test('an instance has no name when its data directory is not writable or its file is empty', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(nameOf({ DATA_DIR: join(folder, 'file', 'within') })).toBeNull()
  writeFileSync(join(folder, 'instance-id'), '\n')
  expect(nameOf({})).toBeNull()
})
