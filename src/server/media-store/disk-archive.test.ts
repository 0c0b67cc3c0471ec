import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskArchive } from './disk-archive.ts'

let folder = ''
let source = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-archive-'))
  source = join(folder, 'in-the-backup')
  writeFileSync(source, 'a picture')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('adds missing files and never overwrites, even if the content differs', async () => {
  const archive = createDiskArchive(join(folder, 'media'))
  expect(await archive.add('home/gallery/lamp.jpg', source)).toBe(true)
  const file = join(folder, 'media/home/gallery/lamp.jpg')
  expect(readFileSync(file, 'utf8')).toBe('a picture')
  writeFileSync(file, 'a newer picture')
  expect(await archive.add('home/gallery/lamp.jpg', source)).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('a newer picture')
})

test('an empty file, as after a power failure, counts as missing', async () => {
  const archive = createDiskArchive(join(folder, 'media'))
  mkdirSync(join(folder, 'media/home'), { recursive: true })
  writeFileSync(join(folder, 'media/home/lamp.jpg'), '')
  expect(await archive.add('home/lamp.jpg', source)).toBe(true)
  expect(readFileSync(join(folder, 'media/home/lamp.jpg'), 'utf8')).toBe('a picture')
  expect(readdirSync(join(folder, 'media/home'))).toEqual(['lamp.jpg'])
})

test('skips a file that is deleted during the copy', async () => {
  const archive = createDiskArchive(join(folder, 'media'))
  const names = ['home/a.jpg', 'home/b.jpg', 'home/c.jpg']
  for (const name of names) await archive.add(name, source)
  const seen: string[] = []
  for await (const { path } of archive.list()) {
    seen.push(path)
    rmSync(join(folder, 'media', names.find((name) => name !== path) ?? ''), { force: true })
  }
  expect(seen).toHaveLength(2)
  expect(await archive.read('home/gone.jpg')).toBeNull()
})
