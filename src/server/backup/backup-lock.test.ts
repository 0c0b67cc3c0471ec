import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { holding } from './backup-lock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Nobody can make a file there, not even root. */
const READ_ONLY = '/proc/self'

test('a folder that is only read is held where that can be, and read all the same where it cannot', async () => {
  const work = async () => 'done'
  expect(await holding([folder], work, { readFrom: READ_ONLY })).toBe('done')
  await expect(holding([READ_ONLY], work)).rejects.toThrow('unable to open database file')
  await expect(holding([READ_ONLY], work, { readFrom: READ_ONLY })).rejects.toThrow('unable to open database file')
  const busy = `Somebody else is making or restoring a backup in ${folder}.`
  await holding([folder], async () => {
    await expect(holding([], work, { readFrom: folder })).rejects.toThrow(busy)
  })
  expect(readdirSync(folder)).toEqual(['.backup-lock'])
})
