import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { Bucket } from '#contract/media.ts'
import type { Config } from '../config/config.ts'
import { type ListedFile, PARTS_FOLDERS, picturesAmong } from './picture-files.rules.ts'
import type { MediaStore } from './media-store.ts'
import { loadS3 } from './s3-client.ts'

type Storage = NonNullable<Config['storage']>

/** A page waits for a listing no longer than this, whatever the bucket does. */
const LIST_WITHIN_MS = 2_000
const PUT_WITHIN_MS = 60_000
/** 1,000 names each: a bucket that never ends its list must end ours. */
const MOST_PAGES = 20
/** How long browsers keep a picture. */
export const FOR_A_DAY = 'public, max-age=86400'

/** Pictures in object storage: a bucket each, folders as the beginning of the key. Their addresses are the objects' own. */
export function createS3Store(storage: Storage): MediaStore {
  const { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } = loadS3()
  const client = createS3Client(storage)

  async function listFiles(bucket: Bucket, prefix: string, withinMs: number): Promise<ListedFile[]> {
    const abortSignal = AbortSignal.timeout(withinMs)
    const files: ListedFile[] = []
    let token: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const command = new ListObjectsV2Command({
        Bucket: storage.buckets[bucket],
        Prefix: prefix,
        ...(token && { ContinuationToken: token }),
      })
      const answer = await client.send(command, { abortSignal })
      files.push(...filesOf(answer, { prefix, address: (key) => objectAddress(storage, bucket, key) }))
      token = answer.NextContinuationToken
      if (!answer.IsTruncated || !token) break
    }
    return files
  }

  /** The files that belong to a picture besides itself, within its folder. */
  async function partsOf(bucket: Bucket, folder: string, filename: string): Promise<string[]> {
    const found = await Promise.all(
      PARTS_FOLDERS.map(async (part) => {
        const files = await listFiles(bucket, `${folder}/${part}/${filename}.`, PUT_WITHIN_MS)
        return files.map(({ name }) => `${part}/${filename}.${name}`)
      }),
    )
    return found.flat()
  }

  async function removeObject(bucket: Bucket, key: string): Promise<void> {
    await client.send(new DeleteObjectCommand({ Bucket: storage.buckets[bucket], Key: key }), {
      abortSignal: AbortSignal.timeout(PUT_WITHIN_MS),
    })
  }

  return {
    async list(bucket, folder) {
      return picturesAmong(folder, await listFiles(bucket, `${folder}/`, LIST_WITHIN_MS))
    },

    async put(bucket, folder, { filename, files }) {
      for (const { name, contentType, bytes } of files) {
        const command = new PutObjectCommand({
          Bucket: storage.buckets[bucket],
          Key: `${folder}/${name}`,
          Body: bytes,
          ContentType: contentType,
          CacheControl: FOR_A_DAY,
        })
        await client.send(command, { abortSignal: AbortSignal.timeout(PUT_WITHIN_MS) })
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
      const named = await listFiles(bucket, `${folder}/${filename}`, LIST_WITHIN_MS)
      const isThere = named.some(({ name }) => name === '')
      return isThere ? [filename, ...(await partsOf(bucket, folder, filename))] : []
    },

    async read(bucket, folder, name) {
      const command = new GetObjectCommand({ Bucket: storage.buckets[bucket], Key: `${folder}/${name}` })
      const { Body } = await client.send(command, { abortSignal: AbortSignal.timeout(PUT_WITHIN_MS) })
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
    // Other vendors of S3 refuse the checksums that Amazon's own takes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
  })
}

/** Where browsers fetch the pictures from, for the content security policy. */
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
  // A hotel's log-in page, for one, reads as a list without anything.
  if (KeyCount === undefined && Contents === undefined) throw new Error('The object storage did not answer with a list')
  return (Contents ?? []).flatMap(({ Key, Size, LastModified }) =>
    Key === undefined || !Key.startsWith(prefix)
      ? []
      : [
          {
            name: Key.slice(prefix.length),
            // Changes with the object: a picture that was cropped is not shown as browsers remember it.
            url: `${address(Key)}?v=${(LastModified?.getTime() ?? 0).toString(36)}`,
            size: Size ?? 0,
            modifiedAt: LastModified?.getTime() ?? 0,
          },
        ],
  )
}
