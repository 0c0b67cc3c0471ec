import { beforeEach, describe, expect, test } from 'vitest'
import type { StoredImage } from '#contract/public/media.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import { createPicturesService, type PicturesService } from './pictures.service.ts'

const SECOND = 1_000
const lamp: StoredImage = { key: 'gallery/lamp.jpg', url: '/a', filename: 'lamp.jpg', size: 1, lastModified: 'x' }
const sari: StoredImage = { ...lamp, key: 'gallery/sari.jpg', filename: 'sari.jpg' }

/** A store whose response the test controls. */
let answer: () => Promise<StoredImage[]>
let asked: number
let now: number
let warnings: object[]
let service: PicturesService

beforeEach(() => {
  answer = async () => [lamp]
  asked = 0
  now = 1_900_000_000_000
  warnings = []
  const store: MediaStore = {
    list() {
      asked++
      return answer()
    },
    put: async () => '',
    files: async () => [],
    read: async () => Buffer.alloc(0),
    remove: async () => {},
    close() {},
  }
  const log = { debug() {}, info() {}, error() {}, warn: (record: object) => void warnings.push(record) }
  service = createPicturesService({ store, clock: { now: () => now, close() {} }, log })
})

const refuse = async () => {
  throw new TypeError('no bucket')
}
/** Flushes responses that are already resolved. */
const drain = () => new Promise((resolve) => setImmediate(resolve))

describe('a listing', () => {
  test('is fetched once for concurrent callers and cached for 15 seconds', async () => {
    const first = await Promise.all([1, 2, 3].map(() => service.list('home', 'gallery')))
    expect(first).toEqual([1, 2, 3].map(() => ({ kind: 'listed', images: [lamp] })))
    now += 14 * SECOND
    await service.list('home', 'gallery')
    expect(asked).toBe(1)
  })

  test('that is older is returned immediately while a new one is fetched', async () => {
    await service.list('home', 'gallery')
    now += 16 * SECOND
    answer = async () => [lamp, sari]
    expect((await service.list('home', 'gallery')).images).toEqual([lamp])
    await drain()
    expect((await service.list('home', 'gallery')).images).toEqual([lamp, sari])
    expect(asked).toBe(2)
  })

  test('that is over five minutes old is no longer returned', async () => {
    await service.list('home', 'gallery')
    now += 301 * SECOND
    answer = async () => [sari]
    expect((await service.list('home', 'gallery')).images).toEqual([sari])
  })

  test('that fails is empty, logs one line, and is not retried for five seconds', async () => {
    answer = refuse
    const failed = { kind: 'failed', images: [] }
    expect(await Promise.all([1, 2].map(() => service.list('home', 'gallery')))).toEqual([failed, failed])
    now += 4 * SECOND
    expect(await service.list('home', 'gallery')).toEqual(failed)
    expect(warnings).toEqual([{ bucket: 'home', folder: 'gallery', reason: 'TypeError' }])
    now += 2 * SECOND
    answer = async () => [lamp]
    expect((await service.list('home', 'gallery')).images).toEqual([lamp])
  })

  test.each([
    ['home', 'team'],
    ['home', 'toString'],
    ['__proto__', 'hero'],
    ['constructor', 'length'],
    ['', ''],
    ['clinic', '../home/hero'],
    ['http://169.254.169.254', 'hero'],
  ])('of %j, %j is unknown: the store is not called (docs/product-rules.md#buckets)', async (bucket, folder) => {
    expect(await service.list(bucket, folder)).toEqual({ kind: 'unknown', images: [] })
    expect(asked).toBe(0)
  })
})

describe('a page', () => {
  test('is rendered without pictures if the store hangs, and again when they arrive', async () => {
    let arrive: (images: StoredImage[]) => void = () => {}
    answer = () => new Promise((resolve) => (arrive = resolve))
    const before = service.version()
    const startedAt = performance.now()
    expect(await service.pictures('home', 'gallery')).toEqual([])
    expect(performance.now() - startedAt).toBeLessThan(900)
    expect(service.version()).toBe(before)
    arrive([lamp])
    await drain()
    expect(service.version()).not.toBe(before)
    expect(await service.pictures('home', 'gallery')).toEqual([lamp])
  })

  test('keeps its pictures while the store is unavailable', async () => {
    await service.pictures('home', 'gallery')
    const before = service.version()
    answer = refuse
    now += 301 * SECOND
    expect(await service.pictures('home', 'gallery')).toEqual([lamp])
    await drain()
    expect(await service.pictures('home', 'gallery')).toEqual([lamp])
    expect(service.version()).toBe(before)
  })

  test('notices a picture that another instance cropped, although no browser requests the list', async () => {
    await service.pictures('home', 'articles')
    const version = service.version()
    answer = async () => [{ ...lamp, url: '/a?v=2' }]
    now += 16 * SECOND
    service.version()
    await drain()
    expect(service.version()).not.toBe(version)
    expect((await service.pictures('home', 'articles'))[0]?.url).toBe('/a?v=2')
  })

  test('is rendered again only if the pictures changed', async () => {
    await service.pictures('home', 'gallery')
    const before = service.version()
    now += 301 * SECOND
    await service.list('home', 'gallery')
    expect(service.version()).toBe(before)
    now += 301 * SECOND
    answer = async () => []
    await service.list('home', 'gallery')
    expect(service.version()).not.toBe(before)
    expect(await service.pictures('home', 'gallery')).toEqual([])
  })
})
