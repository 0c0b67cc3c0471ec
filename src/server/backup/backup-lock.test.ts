import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withBackupLock } from './backup-lock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** No file can be created there, not even by root. */
const READ_ONLY = '/proc/self'

test('a folder that is only read is locked if possible, and read without a lock otherwise', async () => {
  const work = async () => 'done'
  expect(await withBackupLock([folder], work, { readFrom: READ_ONLY })).toBe('done')
  await expect(withBackupLock([READ_ONLY], work)).rejects.toThrow('unable to open database file')
  await expect(withBackupLock([READ_ONLY], work, { readFrom: READ_ONLY })).rejects.toThrow(
    'unable to open database file',
  )
  const busy = `Another process is making or restoring a backup in ${folder}.`
  await withBackupLock([folder], async () => {
    await expect(withBackupLock([], work, { readFrom: folder })).rejects.toThrow(busy)
  })
  expect(readdirSync(folder)).toEqual(['.backup-lock'])
})
