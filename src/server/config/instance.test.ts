import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { instanceNameOf } from './instance.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-instance-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const nameOf = (environment: Record<string, string>) =>
  instanceNameOf(readConfig({ DATA_DIR: folder, PORT: '3000', ...environment }))

test('an instance has the same name after every start', () => {
  const name = nameOf({})
  expect(name).toMatch(/^[0-9a-f]{24}:3000$/)
  expect(nameOf({})).toBe(name)
})

test('instances with another port or data folder have other names', () => {
  const other = join(folder, 'other')
  expect(new Set([nameOf({}), nameOf({ PORT: '3001' }), nameOf({ DATA_DIR: other })]).size).toBe(3)
})

test('INSTANCE_NAME says it where the data folder does not outlive the process', () => {
  expect(nameOf({ INSTANCE_NAME: 'website-1', DATA_DIR: join(folder, 'fresh') })).toBe('website-1')
})

test('a folder that takes no file, or a file that a power cut left empty, makes the instance nameless', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(nameOf({ DATA_DIR: join(folder, 'file', 'within') })).toBeNull()
  writeFileSync(join(folder, 'instance-id'), '\n')
  expect(nameOf({})).toBeNull()
})
