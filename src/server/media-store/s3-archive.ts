import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Bucket } from '#contract/media.ts'
import type { Config } from '../config/config.ts'
import type { MediaArchive } from './media-archive.ts'
import { pictureTypeOf } from './picture-files.rules.ts'
import { loadS3 } from './s3-client.ts'
import { createS3Client, FOR_A_DAY } from './s3-store.ts'

type Storage = NonNullable<Config['storage']>

const LIST_WITHIN_MS = 30_000
const TRANSFER_WITHIN_MS = 5 * 60_000

/** Every object of the three buckets. */
export function createS3Archive(storage: Storage): MediaArchive {
  const { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } = loadS3()
  const client = createS3Client(storage)

  /** The vendor's names of what we call `home/gallery/lamp.jpg`. */
  function placeOf(path: string): { Bucket: string; Key: string } {
    const [bucket = '', ...key] = path.split('/')
    if (!Object.hasOwn(storage.buckets, bucket)) throw new Error(`${path} is in none of the buckets`)
    return { Bucket: storage.buckets[bucket as Bucket], Key: key.join('/') }
  }

  async function has(path: string): Promise<boolean> {
    const { Bucket, Key } = placeOf(path)
    const command = new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 })
    const { Contents } = await client.send(command, { abortSignal: AbortSignal.timeout(LIST_WITHIN_MS) })
    return Contents?.[0]?.Key === Key
  }

  return {
    async *list() {
      for (const [bucket, name] of Object.entries(storage.buckets)) {
        let token: string | undefined
        do {
          const command = new ListObjectsV2Command({ Bucket: name, ...(token && { ContinuationToken: token }) })
          const answer = await client.send(command, { abortSignal: AbortSignal.timeout(LIST_WITHIN_MS) })
          for (const { Key, Size, ETag } of answer.Contents ?? []) {
            // A name that ends so is the mark of a folder, without bytes.
            if (Key && !Key.endsWith('/')) yield { path: `${bucket}/${Key}`, bytes: Size ?? 0, version: ETag ?? '' }
          }
          token = answer.IsTruncated ? answer.NextContinuationToken : undefined
        } while (token)
      }
    },

    async read(path) {
      const abortSignal = AbortSignal.timeout(TRANSFER_WITHIN_MS)
      const answer = await client.send(new GetObjectCommand(placeOf(path)), { abortSignal }).catch((error: Error) => {
        if (error.name === 'NoSuchKey') return null
        throw error
      })
      return (answer?.Body as Readable | undefined) ?? null
    },

    async add(path, source) {
      if (await has(path)) return false
      const { size } = await stat(source)
      const command = new PutObjectCommand({
        ...placeOf(path),
        Body: createReadStream(source),
        ContentLength: size,
        ContentType: pictureTypeOf(path.split('/').at(-1) ?? '') ?? 'application/octet-stream',
        CacheControl: FOR_A_DAY,
      })
      await client.send(command, { abortSignal: AbortSignal.timeout(TRANSFER_WITHIN_MS) })
      return true
    },

    close: () => client.destroy(),
  }
}
