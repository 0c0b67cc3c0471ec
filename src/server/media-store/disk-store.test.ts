import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskStore } from './disk-store.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-media-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string) => ({ name, contentType: 'image/webp', bytes: Buffer.from(text) })

test('a missing folder is empty', async () => {
  expect(await createDiskStore(folder).list('home', 'gallery')).toEqual([])
})

test('lists a stored picture with its sizes', async () => {
  const store = createDiskStore(folder)
  const files = [file('_sizes/lamp.jpg.480.webp', 'small'), file('lamp.jpg', 'picture')]
  expect(await store.put('home', 'gallery', { filename: 'lamp.jpg', files })).toBe('/media/home/gallery/lamp.jpg')
  const [image, ...more] = await store.list('home', 'gallery')
  expect(more).toEqual([])
  expect(image).toMatchObject({ key: 'gallery/lamp.jpg', filename: 'lamp.jpg', size: 7 })
  expect(image?.url).toMatch(/^\/media\/home\/gallery\/lamp\.jpg\?v=[\w-]+$/)
  expect(image?.sizes).toEqual([
    {
      url: expect.stringMatching(/^\/media\/home\/gallery\/_sizes\/lamp\.jpg\.480\.webp\?v=/) as string,
      width: 480,
      type: 'image/webp',
    },
  ])
  expect(await store.list('home', 'hero')).toEqual([])
  expect(await store.list('clinic', 'hero')).toEqual([])
})

test('storing a picture again replaces it, its sizes and its URL', async () => {
  const store = createDiskStore(folder)
  const before = [file('_sizes/a.jpg.480.webp', 'x'), file('_sizes/a.jpg.960.webp', 'x'), file('a.jpg', 'first')]
  await store.put('exec', 'team', { filename: 'a.jpg', files: before })
  await store.put('exec', 'team', {
    filename: 'b.jpg',
    files: [file('_sizes/b.jpg.480.webp', 'x'), file('b.jpg', 'b')],
  })
  const [first] = await store.list('exec', 'team')
  await store.put('exec', 'team', {
    filename: 'a.jpg',
    files: [file('_sizes/a.jpg.480.webp', 'y'), file('a.jpg', 'second')],
  })
  const [second, other] = await store.list('exec', 'team')
  expect(second?.url).not.toBe(first?.url)
  expect(second?.sizes?.map(({ width }) => width)).toEqual([480])
  expect(other?.sizes?.map(({ width }) => width)).toEqual([480])
  expect(readdirSync(join(folder, 'exec', 'team')).sort()).toEqual(['_sizes', 'a.jpg', 'b.jpg'])
})

test('lists and reads the files of a picture; replacing it deletes the original, removing it deletes all', async () => {
  const store = createDiskStore(folder)
  const original = '_originals/a.jpg.1-2-3-4.x.jpg'
  const parts = [file(original, 'whole'), file('_sizes/a.jpg.mail.jpg', 'x'), file('a.jpg', 'part')]
  await store.put('home', 'articles', { filename: 'a.jpg', files: parts })
  expect((await store.files('home', 'articles', 'a.jpg')).sort()).toEqual([original, '_sizes/a.jpg.mail.jpg', 'a.jpg'])
  expect(String(await store.read('home', 'articles', original))).toBe('whole')
  expect((await store.list('home', 'articles')).map(({ filename, sizes }) => [filename, sizes])).toEqual([
    ['a.jpg', undefined],
  ])
  await store.put('home', 'articles', { filename: 'a.jpg', files: [file('a.jpg', 'another')] })
  expect(await store.files('home', 'articles', 'a.jpg')).toEqual(['a.jpg'])
  await store.remove('home', 'articles', 'a.jpg')
  expect(await store.files('home', 'articles', 'a.jpg')).toEqual([])
})

test('does not list folders, hidden files, links or other files; encodes names in URLs', async () => {
  const team = join(folder, 'exec', 'team')
  mkdirSync(join(team, 'folder.jpg'), { recursive: true })
  for (const name of ['.hidden.jpg', 'notes.txt', 'a.jpg.part', 'Dr. Iyer #2?.jpg'])
    writeFileSync(join(team, name), 'x')
  symlinkSync('/etc/passwd', join(team, 'passwd.jpg'))
  const images = await createDiskStore(folder).list('exec', 'team')
  expect(images.map(({ filename }) => filename)).toEqual(['Dr. Iyer #2?.jpg'])
  expect(images[0]?.url.split('?v=')[0]).toBe('/media/exec/team/Dr.%20Iyer%20%232%3F.jpg')
})
