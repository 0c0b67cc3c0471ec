import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStandins, type Standins } from '#standins/standins.ts'
import { createS3Archive } from './s3-archive.ts'

let standins: Standins
beforeAll(async () => {
  standins = await startStandins({ directory: '', port: 0, smtpPort: 0, persist: false })
})
afterAll(() => standins.close())

test('reads an object completely, and returns null for a deleted one', async () => {
  await fetch(`${standins.url}/s3/association-home/gallery/lamp.jpg`, { method: 'PUT', body: 'a picture' })
  const archive = createS3Archive({
    endpoint: `${standins.url}/s3`,
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'key',
    buckets: { home: 'association-home', clinic: 'association-clinic', exec: 'association-exec' },
  })
  const object = await archive.read('home/gallery/lamp.jpg')
  expect(object && (await text(object))).toBe('a picture')
  expect(await archive.read('home/gallery/gone.jpg')).toBeNull()
  archive.close()
})
