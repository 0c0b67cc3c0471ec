import { copyFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { mediaFolders, PEOPLE_LISTS, type Bucket, type Folder, type PicturePerson } from '#contract/media.ts'
import { createMediaStore, uploadDirectory } from '../media/create-media-store.ts'
import { createPictureWorkshop } from '../media/picture-workshop.ts'
import { RefusedPicture } from '../media/refused-picture.ts'
import { raiseContentVersion } from '../features/association/content.repository.ts'
import { listForumMembers } from '../features/association/forum.repository.ts'
import { findLeaderBody } from '../features/association/offices.repository.ts'
import { saveDescription } from '../features/media/picture-description.repository.ts'
import { listedPeople } from '../features/media/picture-descriptions.rules.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../platform/logger.ts'
import type { Tools } from './tools.ts'
import type { BodyKey } from '#contract/association.ts'

const USAGE =
  'Say "media list [BUCKET FOLDER]" or "media add BUCKET FOLDER FILE [--shows TEXT] [--caption TEXT] [--person NAME]".'
const PLACES = Object.entries(mediaFolders).flatMap(([bucket, folders]) =>
  folders.map((folder) => ({ bucket, folder })),
)

interface Place {
  bucket: Bucket
  folder: Folder
}

/** `media list` and `media add`: pictures of the site, on the disk or in object storage. */
export async function media(words: readonly string[], { config, database, say }: Tools): Promise<number> {
  const said = readWords(words)
  if (!said) {
    say(USAGE)
    return 2
  }
  const { parameters } = said
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
  return file === undefined ? list([place], { config, say }) : add(place, file, said, { config, database, say })
}

type Said = NonNullable<ReturnType<typeof readWords>>

/** null for what is no option of this command. */
function readWords(words: readonly string[]) {
  try {
    const { values, positionals: parameters } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { shows: { type: 'string' }, caption: { type: 'string' }, person: { type: 'string' } },
    })
    return { parameters, ...values }
  } catch {
    return null
  }
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
  { shows = '', caption = null, person: name }: Partial<Omit<Said, 'caption'>> & { caption?: string | null },
  { config, database, say }: Pick<Tools, 'config' | 'database' | 'say'>,
): Promise<number> {
  const { db } = database
  const person = name === undefined ? null : await findPerson(db, name)
  if (name !== undefined && (!person || bucket !== 'exec')) {
    say(person ? 'Only pictures of exec team show a person.' : `Nobody called ${name} is listed on the site.`)
    return 1
  }
  const store = createMediaStore(config)
  const workshop = createPictureWorkshop({ directory: uploadDirectory(config.dataDirectory), log: QUIET })
  try {
    const address = await workshop.withTurn({}, async (turn) => {
      const isThere = await copyFile(file, turn.source).then(
        () => true,
        () => false,
      )
      if (!isThere) return null
      return turn.prepare({ kind: 'prepare', filename: basename(file) }, async (picture) => {
        const place = { bucket, folder, filename: picture.filename }
        const describe = (whose: PicturePerson | null) =>
          db.transaction().execute(async (tx) => {
            await saveDescription(tx, place, { alt: shows, caption, person: whose })
            await raiseContentVersion(tx)
          })
        // What was said of another picture of this name is not said of this one.
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
    say(error instanceof RefusedPicture ? error.message : `The picture was not stored: ${(error as Error).message}`)
    return 1
  } finally {
    store.close()
  }
}

const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {} }
const BODIES: readonly BodyKey[] = ['executive-committee', 'board-directors', 'board-trustees']

/** Whoever is listed under this name now, the leaders before the forum. */
async function findPerson(db: Db, name: string): Promise<PicturePerson | null> {
  const bodies = await Promise.all(BODIES.map((key) => findLeaderBody(db, key)))
  const people = listedPeople({
    bodies: new Map(bodies.flatMap((body) => (body ? [[body.key, body]] : []))),
    forumTeam: await listForumMembers(db),
  })
  const [found] = PEOPLE_LISTS.flatMap((list) => people.filter((one) => one.list === list && one.name === name))
  return found ? { list: found.list, name } : null
}
