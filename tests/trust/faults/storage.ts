import { mediaFolders, ARTICLES_FOLDER } from '#contract/public/media.ts'
import { request } from '../http.ts'
import type { World } from '../site.ts'

const BUCKETS: Record<string, string> = {
  home: 'association-home',
  clinic: 'association-clinic',
  exec: 'association-exec',
}

/** The publicly listable ones (docs/product-rules.md#buckets). */
export const LISTED_FOLDERS = Object.entries(mediaFolders)
  .flatMap(([bucket, folders]) => folders.map((folder) => ({ bucket, folder })))
  .filter(({ bucket, folder }) => bucket !== ARTICLES_FOLDER.bucket || folder !== ARTICLES_FOLDER.folder)

/** The environment of a site whose pictures are in the object storage stand-in. */
export async function storageAt(standinsUrl: string): Promise<Record<string, string>> {
  return {
    S3_ENDPOINT: `${standinsUrl}/s3`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
    ...Object.fromEntries(Object.entries(BUCKETS).map(([name, bucket]) => [`S3_BUCKET_${name.toUpperCase()}`, bucket])),
  }
}

/** Uploads an image into a folder of the storage. Resolves with the response status. */
export async function storePicture(
  { standinsUrl }: World,
  { bucket, folder, name, drawing }: { bucket: string; folder: string; name: string; drawing: Buffer },
): Promise<number> {
  const { status } = await request(standinsUrl, {
    method: 'PUT',
    path: `/s3/${BUCKETS[bucket]}/${folder}/${encodeURIComponent(name)}`,
    headers: { 'content-type': 'image/svg+xml' },
    body: drawing,
  })
  return status
}
