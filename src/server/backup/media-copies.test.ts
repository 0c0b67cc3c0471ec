import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MediaArchive } from '#server/media-store/media-archive.ts'
import { backUpMedia } from './media-copies.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-media-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a picture deleted after it was listed is left out of the backup, and the others are included', async () => {
  const archive: MediaArchive = {
    async *list() {
      for (const name of ['gone', 'there']) yield { path: `home/${name}.jpg`, bytes: 9, version: '1' }
    },
    read: async (path) => (path === 'home/gone.jpg' ? null : Readable.from([Buffer.from('a picture')])),
    add: async () => false,
    close() {},
  }
  const entries = await backUpMedia(archive, folder, null)
  expect(entries.map(({ path }) => path)).toEqual(['home/there.jpg'])
  expect(readdirSync(join(folder, 'media'))).toEqual(entries.map(({ sha256 }) => sha256))
})
