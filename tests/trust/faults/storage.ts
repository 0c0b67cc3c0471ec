import { mediaFolders, WORDS_FOLDER } from '#contract/media.ts'
import { ask } from './http.ts'
import type { World } from './site.ts'

const BUCKETS: Record<string, string> = {
  home: 'association-home',
  clinic: 'association-clinic',
  exec: 'association-exec',
}

/** Those that anybody may have listed (docs/product-rules.md#buckets). */
export const LISTED_FOLDERS = Object.entries(mediaFolders)
  .flatMap(([bucket, folders]) => folders.map((folder) => ({ bucket, folder })))
  .filter(({ bucket, folder }) => bucket !== WORDS_FOLDER.bucket || folder !== WORDS_FOLDER.folder)

/** The environment of a site whose pictures lie in the object storage stand-in. */
export async function storageAt(standinsUrl: string): Promise<Record<string, string>> {
  return {
    S3_ENDPOINT: `${standinsUrl}/s3`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
    ...Object.fromEntries(Object.entries(BUCKETS).map(([name, bucket]) => [`S3_BUCKET_${name.toUpperCase()}`, bucket])),
  }
}

/** Puts a drawing into a folder of the storage. Resolves with the status of the answer. */
export async function storePicture(
  { standinsUrl }: World,
  { bucket, folder, name, drawing }: { bucket: string; folder: string; name: string; drawing: Buffer },
): Promise<number> {
  const { status } = await ask(standinsUrl, {
    method: 'PUT',
    path: `/s3/${BUCKETS[bucket]}/${folder}/${encodeURIComponent(name)}`,
    headers: { 'content-type': 'image/svg+xml' },
    body: drawing,
  })
  return status
}
