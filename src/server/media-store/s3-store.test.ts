import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startStandins, type Standins } from '#standins/standins.ts'
import { createS3Store, imageOrigins } from './s3-store.ts'

let standins: Standins
const names = { home: 'association-home', clinic: 'association-clinic', exec: 'association-exec' }

beforeAll(async () => {
  standins = await startStandins({ directory: '', port: 0, smtpPort: 0, persist: false })
})
afterAll(() => standins.close())
beforeEach(() => standins.control({ reset: true }))

function storage() {
  return {
    endpoint: `${standins.url}/s3`,
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'key',
    buckets: names,
  }
}

function open() {
  const store = createS3Store(storage())
  return { ...store, [Symbol.dispose]: () => store.close() }
}

const file = (name: string, text = 'x') => ({ name, contentType: 'image/webp', bytes: Buffer.from(text) })
const upload = (key: string) => fetch(`${standins.url}/s3/association-home/${key}`, { method: 'PUT', body: 'x' })

test('returns an empty list for a missing folder', async () => {
  using store = open()
  expect(await store.list('clinic', 'hero')).toEqual([])
})

test('lists a stored picture with the URL of its object, where it can be fetched', async () => {
  using store = open()
  const files = [
    file('_sizes/lamp.jpg.480.webp', 'small'),
    { ...file('lamp.jpg', 'picture'), contentType: 'image/jpeg' },
  ]
  const address = await store.put('exec', 'team', { filename: 'lamp.jpg', files })
  expect(address).toBe(`${standins.url}/s3/association-exec/team/lamp.jpg`)
  const images = await store.list('exec', 'team')
  expect(images).toEqual([
    {
      key: 'team/lamp.jpg',
      url: expect.stringMatching(/\/team\/lamp\.jpg\?v=\w+$/) as string,
      filename: 'lamp.jpg',
      size: 7,
      lastModified: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      sizes: [
        {
          url: expect.stringMatching(/\/association-exec\/team\/_sizes\/lamp\.jpg\.480\.webp\?v=\w+$/) as string,
          width: 480,
          type: 'image/webp',
        },
      ],
    },
  ])
  const fetched = await fetch(address)
  expect([await fetched.text(), fetched.headers.get('content-type')]).toEqual(['picture', 'image/jpeg'])
})

test('storing a picture again deletes its old sizes', async () => {
  using store = open()
  const sizes = [480, 960].map((width) => file(`_sizes/a.jpg.${width}.webp`))
  await store.put('exec', 'team', { filename: 'a.jpg', files: [...sizes, file('a.jpg')] })
  await store.put('exec', 'team', { filename: 'a.jpg', files: [file('_sizes/a.jpg.480.webp'), file('a.jpg')] })
  const images = await store.list('exec', 'team')
  expect(images.find(({ filename }) => filename === 'a.jpg')?.sizes?.map(({ width }) => width)).toEqual([480])
})

test('lists and reads the files of a picture; removing it deletes all', async () => {
  using store = open()
  const original = '_originals/o.jpg.1-2-3-4.x.jpg'
  const files = [file(original, 'whole'), file('_sizes/o.jpg.mail.jpg'), file('o.jpg', 'part')]
  await store.put('exec', 'team', { filename: 'o.jpg', files })
  expect((await store.files('exec', 'team', 'o.jpg')).sort()).toEqual([original, '_sizes/o.jpg.mail.jpg', 'o.jpg'])
  expect(String(await store.read('exec', 'team', original))).toBe('whole')
  await store.remove('exec', 'team', 'o.jpg')
  expect(await store.files('exec', 'team', 'o.jpg')).toEqual([])
})

test('reads a listing of several pages; skips other folders and files', async () => {
  using store = open()
  for (let index = 0; index < 1_010; index++) await upload(`gallery/${String(index).padStart(4, '0')}.jpg`)
  await Promise.all(['gallery/notes.txt', 'gallery/', 'gallery2/x.jpg', 'hero/y.jpg', 'gallery/deep/z.jpg'].map(upload))
  await upload(`gallery/${encodeURIComponent('Dr. Iyer & co #1?.jpg')}`)
  const images = await store.list('home', 'gallery')
  expect(images).toHaveLength(1_011)
  expect(images.map(({ filename }) => filename)).toContain('Dr. Iyer & co #1?.jpg')
  const odd = images.find(({ filename }) => filename.startsWith('Dr.'))
  expect((await fetch(odd?.url ?? '')).status).toBe(200)
})

describe('a listing fails within its timeout', () => {
  test.each(['refuse', 'error', 'limited', 'garbage', 'reset', 'blackhole', 'lostReply'] as const)(
    'if the bucket is in mode: %s',
    async (fault) => {
      using store = open()
      await standins.control({ s3: fault })
      const startedAt = performance.now()
      await expect(store.list('exec', 'team')).rejects.toThrow(Error)
      expect(performance.now() - startedAt).toBeLessThan(2_700)
    },
  )

  test('if it is slow, but not if it is only slightly slow', async () => {
    using store = open()
    await standins.control({ s3: 'slow', slowMs: 300 })
    await store.list('exec', 'team')
    await standins.control({ s3: 'slow', slowMs: 5_000 })
    const startedAt = performance.now()
    await expect(store.list('exec', 'team')).rejects.toThrow(Error)
    expect(performance.now() - startedAt).toBeLessThan(2_700)
  })

  test('if nothing is listening', async () => {
    const store = createS3Store({ ...storage(), endpoint: 'http://127.0.0.1:9' })
    await expect(store.list('exec', 'team')).rejects.toThrow(Error)
    store.close()
  })
})

test('retries after one temporary failure', async () => {
  using store = open()
  await standins.control({ s3: 'error', times: 1 })
  expect(await store.list('clinic', 'hero')).toEqual([])
})

test('image origins are the endpoint, or each bucket at Amazon', () => {
  expect(imageOrigins({ ...storage(), endpoint: 'https://s3.example.org/under/a/path' })).toEqual([
    'https://s3.example.org',
  ])
  expect(imageOrigins({ ...storage(), endpoint: null, region: 'us-east-2' })).toEqual([
    'https://association-home.s3.us-east-2.amazonaws.com',
    'https://association-clinic.s3.us-east-2.amazonaws.com',
    'https://association-exec.s3.us-east-2.amazonaws.com',
  ])
})
