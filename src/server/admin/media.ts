import { copyFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { mediaFolders, PEOPLE_LISTS, type Bucket, type Folder, type PicturePerson } from '#contract/public/media.ts'
import { createMediaStore, uploadDirectory } from '#server/media-store/create-media-store.ts'
import { createPictureQueue } from '#server/media-store/pictures/picture-queue.ts'
import { PictureRejectedError } from '#server/media-store/pictures/picture-rejected-error.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { readRecords } from '#server/features/content-store/content.queries.ts'
import { currentLeaders, forumKind, leaderKind } from '#server/features/content-store/kinds/people.kinds.ts'
import { saveDescription } from '#server/features/media/picture-description.commands.ts'
import { listPeople } from '../features/media/picture-descriptions.rules.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '#server/lib/logger.ts'
import type { Tools } from './tools.ts'

const USAGE =
  'Usage: media list [BUCKET FOLDER] | media add BUCKET FOLDER FILE [--shows TEXT] [--caption TEXT] [--person NAME]'
const FOLDERS = Object.entries(mediaFolders).flatMap(([bucket, folders]) =>
  folders.map((folder) => ({ bucket, folder })),
)

interface MediaFolder {
  bucket: Bucket
  folder: Folder
}

/** `media list` and `media add`: pictures of the site, on disk or in object storage. */
export async function media(args: readonly string[], { config, database, say }: Tools): Promise<number> {
  const parsed = parseArguments(args)
  if (!parsed) {
    say(USAGE)
    return 2
  }
  const { parameters } = parsed
  const [action, bucket, folder, file] = parameters
  if (action === 'list' && parameters.length === 1) return list(FOLDERS as MediaFolder[], { config, say })
  const isValid = (action === 'list' && parameters.length === 3) || (action === 'add' && parameters.length === 4)
  if (!isValid) {
    say(USAGE)
    return 2
  }
  const mediaFolder = FOLDERS.find((known) => known.bucket === bucket && known.folder === folder) as
    | MediaFolder
    | undefined
  if (!mediaFolder) {
    say(
      `There is no folder ${bucket} ${folder}. Folders: ${FOLDERS.map((known) => `${known.bucket} ${known.folder}`).join(', ')}.`,
    )
    return 2
  }
  return file === undefined
    ? list([mediaFolder], { config, say })
    : add(mediaFolder, file, parsed, { config, database, say })
}

type ParsedArguments = NonNullable<ReturnType<typeof parseArguments>>

/** Returns null for unknown options. */
function parseArguments(args: readonly string[]) {
  try {
    const { values, positionals: parameters } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { shows: { type: 'string' }, caption: { type: 'string' }, person: { type: 'string' } },
    })
    return { parameters, ...values }
  } catch {
    return null
  }
}

async function list(
  mediaFolders: readonly MediaFolder[],
  { config, say }: Pick<Tools, 'config' | 'say'>,
): Promise<number> {
  const store = createMediaStore(config)
  try {
    for (const { bucket, folder } of mediaFolders) {
      const images = await store.list(bucket, folder)
      say(`${bucket} ${folder}: ${formatCount(images.length)}`)
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

function formatCount(pictures: number): string {
  if (pictures === 0) return 'no pictures'
  return pictures === 1 ? '1 picture' : `${pictures} pictures`
}

async function add(
  { bucket, folder }: MediaFolder,
  file: string,
  { shows = '', caption = null, person: name }: Partial<Omit<ParsedArguments, 'caption'>> & { caption?: string | null },
  { config, database, say }: Pick<Tools, 'config' | 'database' | 'say'>,
): Promise<number> {
  const { db } = database
  const person = name === undefined ? null : await findPerson(db, name)
  if (name !== undefined && (!person || bucket !== 'exec')) {
    say(person ? '--person is only for pictures in exec team.' : `No one named ${name} is listed on the site.`)
    return 1
  }
  const store = createMediaStore(config)
  const workshop = createPictureQueue({ directory: uploadDirectory(config.dataDirectory), log: QUIET })
  try {
    const address = await workshop.withSlot({}, async (workspace) => {
      const isCopied = await copyFile(file, workspace.source).then(
        () => true,
        () => false,
      )
      if (!isCopied) return null
      return workspace.prepare({ kind: 'prepare', filename: basename(file) }, async (picture) => {
        const location = { bucket, folder, filename: picture.filename }
        const describe = (subject: PicturePerson | null) =>
          db.transaction().execute(async (tx) => {
            await saveDescription(tx, location, { alt: shows, caption, person: subject, name: null, position: null })
            await incrementContentVersion(tx)
          })
        // Clears the description of an earlier picture with the same name.
        await describe(null)
        const stored = await store.put(bucket, folder, picture)
        if (person) await describe(person)
        return stored
      })
    })
    if (address === null) {
      say(`${file} cannot be read.`)
      return 1
    }
    const isOnDisk = address.startsWith('/')
    say(`Stored as ${isOnDisk ? config.siteUrl : ''}${address}. The running site shows it within a minute.`)
    return 0
  } catch (error) {
    say(
      error instanceof PictureRejectedError ? error.message : `The picture was not stored: ${(error as Error).message}`,
    )
    return 1
  } finally {
    store.close()
  }
}

const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Finds the person currently listed under this name; leaders come before forum members. */
async function findPerson(db: Db, name: string): Promise<PicturePerson | null> {
  const records = await readRecords(db, [leaderKind, forumKind])
  const forumTeam = records.single(forumKind)?.team ?? []
  const people = listPeople({ bodies: currentLeaders(records), forumTeam })
  const [found] = PEOPLE_LISTS.flatMap((list) =>
    people.filter((candidate) => candidate.list === list && candidate.name === name),
  )
  return found ? { list: found.list, name } : null
}
