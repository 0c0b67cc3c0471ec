import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { Bucket } from '#contract/public/media.ts'
import type { Config } from '#server/config/config.ts'
import { type ListedFile, DERIVED_FOLDERS, selectPictures } from './pictures/picture-files.rules.ts'
import type { MediaStore } from './media-store.ts'
import { loadS3 } from './s3-client.ts'

type Storage = NonNullable<Config['storage']>

/** The longest that a page waits for a listing. */
const LIST_TIMEOUT_MS = 2_000
const PUT_TIMEOUT_MS = 60_000
/** Stops reading listings of a broken bucket that never end; each page has 1,000 names. */
const MAX_LIST_PAGES = 20
/** The Cache-Control header of pictures. */
export const CACHE_ONE_DAY = 'public, max-age=86400'

/** Stores pictures in object storage. The folder is the prefix of the key; URLs point to the objects directly. */
export function createS3Store(storage: Storage): MediaStore {
  const { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } = loadS3()
  const client = createS3Client(storage)

  async function listFiles(bucket: Bucket, prefix: string, withinMs: number): Promise<ListedFile[]> {
    const abortSignal = AbortSignal.timeout(withinMs)
    const files: ListedFile[] = []
    let token: string | undefined
    for (let page = 0; page < MAX_LIST_PAGES; page++) {
      const command = new ListObjectsV2Command({
        Bucket: storage.buckets[bucket],
        Prefix: prefix,
        ...(token && { ContinuationToken: token }),
      })
      const response = await client.send(command, { abortSignal })
      files.push(...filesOf(response, { prefix, address: (key) => objectAddress(storage, bucket, key) }))
      token = response.NextContinuationToken
      if (!response.IsTruncated || !token) break
    }
    return files
  }

  /** The sizes and the original of a picture, relative to its folder. */
  async function partsOf(bucket: Bucket, folder: string, filename: string): Promise<string[]> {
    const found = await Promise.all(
      DERIVED_FOLDERS.map(async (part) => {
        const files = await listFiles(bucket, `${folder}/${part}/${filename}.`, PUT_TIMEOUT_MS)
        return files.map(({ name }) => `${part}/${filename}.${name}`)
      }),
    )
    return found.flat()
  }

  async function removeObject(bucket: Bucket, key: string): Promise<void> {
    await client.send(new DeleteObjectCommand({ Bucket: storage.buckets[bucket], Key: key }), {
      abortSignal: AbortSignal.timeout(PUT_TIMEOUT_MS),
    })
  }

  return {
    async list(bucket, folder) {
      return selectPictures(folder, await listFiles(bucket, `${folder}/`, LIST_TIMEOUT_MS))
    },

    async put(bucket, folder, { filename, files }) {
      for (const { name, contentType, bytes } of files) {
        const command = new PutObjectCommand({
          Bucket: storage.buckets[bucket],
          Key: `${folder}/${name}`,
          Body: bytes,
          ContentType: contentType,
          CacheControl: CACHE_ONE_DAY,
        })
        await client.send(command, { abortSignal: AbortSignal.timeout(PUT_TIMEOUT_MS) })
      }
      for (const part of await partsOf(bucket, folder, filename))
        if (!files.some(({ name }) => name === part)) await removeObject(bucket, `${folder}/${part}`)
      return objectAddress(storage, bucket, `${folder}/${filename}`)
    },

    async remove(bucket, folder, filename) {
      await removeObject(bucket, `${folder}/${filename}`)
      for (const part of await partsOf(bucket, folder, filename)) await removeObject(bucket, `${folder}/${part}`)
    },

    async files(bucket, folder, filename) {
      const named = await listFiles(bucket, `${folder}/${filename}`, LIST_TIMEOUT_MS)
      const isThere = named.some(({ name }) => name === '')
      return isThere ? [filename, ...(await partsOf(bucket, folder, filename))] : []
    },

    async read(bucket, folder, name) {
      const command = new GetObjectCommand({ Bucket: storage.buckets[bucket], Key: `${folder}/${name}` })
      const { Body } = await client.send(command, { abortSignal: AbortSignal.timeout(PUT_TIMEOUT_MS) })
      if (!Body) throw new Error(`The object storage answered without ${name}`)
      return Buffer.from(await Body.transformToByteArray())
    },

    close: () => client.destroy(),
  }
}

export function createS3Client(storage: Storage): S3Client {
  const { S3Client } = loadS3()
  return new S3Client({
    region: storage.region,
    credentials: { accessKeyId: storage.accessKeyId, secretAccessKey: storage.secretAccessKey },
    ...(storage.endpoint && { endpoint: storage.endpoint, forcePathStyle: true }),
    // S3-compatible services of other vendors reject Amazon's default checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
  })
}

/** The origins of picture URLs, for the content security policy. */
export function imageOrigins(storage: Storage): string[] {
  const buckets = Object.keys(storage.buckets) as Bucket[]
  return [...new Set(buckets.map((bucket) => new URL(objectAddress(storage, bucket, '')).origin))]
}

function objectAddress({ endpoint, region, buckets }: Storage, bucket: Bucket, key: string): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  return endpoint
    ? `${endpoint}/${buckets[bucket]}/${path}`
    : `https://${buckets[bucket]}.s3.${region}.amazonaws.com/${path}`
}

function filesOf(
  { Contents, KeyCount }: ListObjectsV2CommandOutput,
  { prefix, address }: { prefix: string; address(key: string): string },
): ListedFile[] {
  // The HTML of a captive portal, for example, parses as an empty list.
  if (KeyCount === undefined && Contents === undefined) throw new Error('The object storage did not return a list')
  return (Contents ?? []).flatMap(({ Key, Size, LastModified }) =>
    Key === undefined || !Key.startsWith(prefix)
      ? []
      : [
          {
            name: Key.slice(prefix.length),
            // Changes with the object, so that browsers do not show a cached image from before a crop.
            url: `${address(Key)}?v=${(LastModified?.getTime() ?? 0).toString(36)}`,
            size: Size ?? 0,
            modifiedAt: LastModified?.getTime() ?? 0,
          },
        ],
  )
}
