import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const FIVE_MINUTES = 300_000

describe('pictures on the disk', () => {
  const app = useTestApp()

  test('are listed in the documented format', async () => {
    const folder = join(app().config.dataDirectory, 'media', 'home', 'gallery')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'lamp.jpg'), 'picture')
    writeFileSync(join(folder, 'notes.txt'), 'no picture')
    const { status, body } = await app().browser().get('/api/s3/home/folder/gallery')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: expect.any(String) as string,
      data: {
        images: [
          {
            key: 'gallery/lamp.jpg',
            url: expect.stringMatching(/^\/media\/home\/gallery\/lamp\.jpg\?v=/) as string,
            filename: 'lamp.jpg',
            size: 7,
            lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
          },
        ],
      },
    })
    const url = body.data.images[0].url as string
    expect(await (await fetch(app().url + url)).text()).toBe('picture')
  })

  test.each([
    ['home', 'hero'],
    ['clinic', 'hero'],
    ['exec', 'team'],
  ])('%s/%s exists and is empty', async (bucket, folder) => {
    const { status, body } = await app().browser().get(`/api/s3/${bucket}/folder/${folder}`)
    expect([status, body.success, body.data]).toEqual([200, true, { images: [] }])
  })

  test.each([
    'home/folder/team',
    'home/folder/articles',
    'attic/folder/hero',
    'HOME/folder/hero',
    '__proto__/folder/hero',
    'home/folder/..%2F..%2Fassociation.db',
    'home/folder/..%5C..',
    'home%2Fhero/folder/hero',
    'home/folder/hero%00',
    'home/folder/http%3A%2F%2F169.254.169.254%2Flatest',
    '%2Fetc/folder/passwd',
    'home/folder/%252e%252e',
    `home/folder/${'x'.repeat(900)}`,
  ])('%s returns an empty list in the usual format (docs/product-rules.md#buckets)', async (path) => {
    const { status, body } = await app().browser().get(`/api/s3/${path}`)
    expect([status, body]).toEqual([
      200,
      { success: false, message: 'This folder does not exist.', data: { images: [] } },
    ])
  })
})

describe('pictures in object storage', () => {
  const app = useTestApp({
    environment: (standins) => ({
      S3_ENDPOINT: `${standins.url}/s3`,
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      S3_BUCKET_HOME: 'association-home',
      S3_BUCKET_CLINIC: 'association-clinic',
      S3_BUCKET_EXEC: 'association-exec',
    }),
  })

  test('are listed with the URLs of the objects', async () => {
    const url = `${app().standins.url}/s3/association-clinic/hero/entrance.jpg`
    await fetch(url, { method: 'PUT', body: 'picture' })
    const { body } = await app().browser().get('/api/s3/clinic/folder/hero')
    expect(body.data.images).toMatchObject([{ key: 'hero/entrance.jpg', filename: 'entrance.jpg', size: 7 }])
    expect(body.data.images[0].url.split('?v=')[0]).toBe(url)
  })

  test('are not on the disk', async () => {
    expect((await fetch(`${app().url}/media/clinic/hero/entrance.jpg`)).status).toBe(404)
  })

  test.each(['refuse', 'error', 'limited', 'garbage', 'reset', 'blackhole', 'slow'] as const)(
    'return an empty list within 3 seconds and log one line if the bucket is in mode: %s',
    async (fault) => {
      await app().advance(2 * FIVE_MINUTES)
      await app().standins.control({ s3: fault })
      const lines = app().logLines.length
      const startedAt = performance.now()
      const answers = await Promise.all([1, 2, 3].map(() => app().browser().get('/api/s3/clinic/folder/hero')))
      expect(performance.now() - startedAt).toBeLessThan(3_000)
      for (const { status, body } of answers) {
        expect(status).toBe(200)
        expect(body).toMatchObject({ success: false, data: { images: [] } })
      }
      const warnings = app()
        .logLines.slice(lines)
        .filter((line) => line.includes('listing pictures failed'))
      expect(warnings).toHaveLength(1)
      await app().standins.control({ s3: 'ok' })
      await app().advance(FIVE_MINUTES)
      expect((await app().browser().get('/api/s3/clinic/folder/hero')).body.data.images).toHaveLength(1)
    },
  )
})
