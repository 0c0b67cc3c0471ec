import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { mediaFolders, type Bucket, type Folder } from '#contract/media.ts'
import { createMediaStore } from '../media/create-media-store.ts'
import { preparePicture, RefusedPicture } from '../media/prepare-picture.ts'
import type { Tools } from './tools.ts'

const USAGE = 'Say "media list [BUCKET FOLDER]" or "media add BUCKET FOLDER FILE".'
const PLACES = Object.entries(mediaFolders).flatMap(([bucket, folders]) =>
  folders.map((folder) => ({ bucket, folder })),
)

interface Place {
  bucket: Bucket
  folder: Folder
}

/** `media list` and `media add`: pictures of the site, on the disk or in object storage. */
export async function media(parameters: readonly string[], { config, say }: Tools): Promise<number> {
  const [action, bucket, folder, file] = parameters
  if (action === 'list' && parameters.length === 1) return list(PLACES as Place[], { config, say })
  const isAsked = (action === 'list' && parameters.length === 3) || (action === 'add' && parameters.length === 4)
  if (!isAsked) {
    say(USAGE)
    return 2
  }
  const place = PLACES.find((known) => known.bucket === bucket && known.folder === folder) as Place | undefined
  if (!place) {
    say(
      `There is no ${bucket} ${folder}. There are: ${PLACES.map((known) => `${known.bucket} ${known.folder}`).join(', ')}.`,
    )
    return 2
  }
  return file === undefined ? list([place], { config, say }) : add(place, file, { config, say })
}

async function list(places: readonly Place[], { config, say }: Pick<Tools, 'config' | 'say'>): Promise<number> {
  const store = createMediaStore(config)
  try {
    for (const { bucket, folder } of places) {
      const images = await store.list(bucket, folder)
      say(`${bucket} ${folder}: ${countOf(images.length)}`)
      for (const { filename, size, sizes = [] } of images)
        say(`    ${filename}  ${Math.ceil(size / 1_024)} kB${sizes.length > 0 ? `, ${sizes.length} sizes` : ''}`)
    }
    return 0
  } catch (error) {
    say(`The pictures cannot be listed: ${(error as Error).message}`)
    return 1
  } finally {
    store.close()
  }
}

function countOf(pictures: number): string {
  if (pictures === 0) return 'no pictures'
  return pictures === 1 ? '1 picture' : `${pictures} pictures`
}

async function add(
  { bucket, folder }: Place,
  file: string,
  { config, say }: Pick<Tools, 'config' | 'say'>,
): Promise<number> {
  const bytes = await readFile(file).catch(() => null)
  if (!bytes) {
    say(`${file} cannot be read.`)
    return 1
  }
  const store = createMediaStore(config)
  try {
    const picture = await preparePicture(basename(file), bytes)
    const address = await store.put(bucket, folder, picture)
    const isOnDisk = address.startsWith('/')
    say(`Stored as ${isOnDisk ? config.siteUrl : ''}${address}. The running site shows it within a minute.`)
    return 0
  } catch (error) {
    say(error instanceof RefusedPicture ? error.message : `The picture was not stored: ${(error as Error).message}`)
    return 1
  } finally {
    store.close()
  }
}
