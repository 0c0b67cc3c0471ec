import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { createMediaStore } from '../create-media-store.ts'
import { addSamplePictures } from './sample-pictures.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'association-samples-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a new data folder gets sample pictures, one for each officer of the forum', async () => {
  const config = readConfig({ DATA_DIR: folder })
  await addSamplePictures(config)
  const store = createMediaStore(config)
  const names = async (...[bucket, directory]: Parameters<typeof store.list>) =>
    (await store.list(bucket, directory)).map(({ filename }) => filename)
  expect(await names('home', 'hero')).toHaveLength(3)
  expect((await names('home', 'gallery')).length).toBeGreaterThanOrEqual(6)
  expect(await names('clinic', 'hero')).toEqual(['the-open-door-of-the-clinic.svg'])
  expect(await names('exec', 'team')).toEqual([
    'president-elect.svg',
    'president.svg',
    'secretary.svg',
    'treasurer.svg',
  ])
})

test('deleted sample pictures are not added again', async () => {
  const config = readConfig({ DATA_DIR: folder })
  await addSamplePictures(config)
  rmSync(join(folder, 'media', 'clinic', 'hero', 'the-open-door-of-the-clinic.svg'))
  await addSamplePictures(config)
  expect(await createMediaStore(config).list('clinic', 'hero')).toEqual([])
})

test('production gets no sample pictures', async () => {
  const config = { ...readConfig({ DATA_DIR: folder }), production: true }
  await addSamplePictures(config)
  expect(await createMediaStore(config).list('home', 'gallery')).toEqual([])
})
