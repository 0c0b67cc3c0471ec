import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Bucket } from '#contract/public/media.ts'
import type { Config } from '#server/config/config.ts'
import type { MediaArchive } from './media-archive.ts'
import { pictureContentType } from './pictures/picture-files.rules.ts'
import { loadS3 } from './s3-client.ts'
import { createS3Client, CACHE_ONE_DAY } from './s3-store.ts'

type Storage = NonNullable<Config['storage']>

const LIST_TIMEOUT_MS = 30_000
const TRANSFER_TIMEOUT_MS = 5 * 60_000

/** All objects of the three buckets. */
export function createS3Archive(storage: Storage): MediaArchive {
  const { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } = loadS3()
  const client = createS3Client(storage)

  /** The S3 bucket and key of a path such as `home/gallery/lamp.jpg`. */
  function objectOf(path: string): { Bucket: string; Key: string } {
    const [bucket = '', ...key] = path.split('/')
    if (!Object.hasOwn(storage.buckets, bucket)) throw new Error(`${path} is not in any of the buckets`)
    return { Bucket: storage.buckets[bucket as Bucket], Key: key.join('/') }
  }

  async function has(path: string): Promise<boolean> {
    const { Bucket, Key } = objectOf(path)
    const command = new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 })
    const { Contents } = await client.send(command, { abortSignal: AbortSignal.timeout(LIST_TIMEOUT_MS) })
    return Contents?.[0]?.Key === Key
  }

  return {
    async *list() {
      for (const [bucket, name] of Object.entries(storage.buckets)) {
        let token: string | undefined
        do {
          const command = new ListObjectsV2Command({ Bucket: name, ...(token && { ContinuationToken: token }) })
          const response = await client.send(command, { abortSignal: AbortSignal.timeout(LIST_TIMEOUT_MS) })
          for (const { Key, Size, ETag } of response.Contents ?? []) {
            // A key that ends in a slash is an empty folder marker.
            if (Key && !Key.endsWith('/')) yield { path: `${bucket}/${Key}`, bytes: Size ?? 0, version: ETag ?? '' }
          }
          token = response.IsTruncated ? response.NextContinuationToken : undefined
        } while (token)
      }
    },

    async read(path) {
      const abortSignal = AbortSignal.timeout(TRANSFER_TIMEOUT_MS)
      const response = await client
        .send(new GetObjectCommand(objectOf(path)), { abortSignal })
        .catch((error: Error) => {
          if (error.name === 'NoSuchKey') return null
          throw error
        })
      return (response?.Body as Readable | undefined) ?? null
    },

    async add(path, source) {
      if (await has(path)) return false
      const { size } = await stat(source)
      const command = new PutObjectCommand({
        ...objectOf(path),
        Body: createReadStream(source),
        ContentLength: size,
        ContentType: pictureContentType(path.split('/').at(-1) ?? '') ?? 'application/octet-stream',
        CacheControl: CACHE_ONE_DAY,
      })
      await client.send(command, { abortSignal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) })
      return true
    },

    close: () => client.destroy(),
  }
}
