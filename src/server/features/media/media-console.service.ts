import type { Kysely } from 'kysely'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import {
  isReplaceable,
  type DescribedPicture,
  type ListedPerson,
  type PictureDetail,
  type PictureUse,
  type describePicture,
  type listMedia,
  type replacePicture,
} from '#contract/console-media.ts'
import {
  mediaFolders,
  WORDS_FOLDER,
  type Bucket,
  type Folder,
  type PictureCrop,
  type PicturePerson,
  type StoredImage,
} from '#contract/media.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import { isCroppable, originalAmong } from '#server/media/picture-files.rules.ts'
import { writeSource, type PictureWorkshop, type Turn } from '#server/media/picture-workshop.ts'
import { RefusedPicture } from '#server/media/refused-picture.ts'
import { listDrawings } from '#server/media/site-drawings.ts'
import type { AuditAction } from '#server/platform/audit-actions.rules.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { holdContent, raiseContentVersion } from '../association/content.repository.ts'
import { forgetDescription, listDescriptions, saveDescription } from './picture-description.repository.ts'
import { isListed, keyOf, type PictureDescription, type PicturePlace } from './picture-descriptions.rules.ts'
import { MEDIA_FOLDERS, wordsOf, type Place } from './media-folders.ts'
import { createPicturePreviews } from './picture-previews.ts'
import { addressOf, type PicturesService } from './pictures.service.ts'

/** So many uses are named in a refusal. */
const NAMED = 3

/** Something that names pictures by their addresses. */
export interface PictureUser {
  /** Which of its records name each of these addresses, also in drafts. */
  usesOf(addresses: readonly string[]): Promise<Map<string, PictureUse[]>>
  /** Names another wherever visitors or officers may still see this one, with a version and an entry of the history each. */
  replacePicture(tx: Tx, officer: Officer, names: { from: string; to: string }): Promise<void>
}

/** All throw Problem NOT_FOUND where there is no such picture. */
export interface MediaConsoleService {
  list(): Promise<ReplyOf<typeof listMedia>>
  get(place: PicturePlace): Promise<PictureDetail>
  /**
   * Replaces one of the same name, with all that was said of it.
   * @param save writes the file to a path
   * @throws Problem with a sentence for the field `file` or `person`, PICTURES_BUSY
   */
  add(
    officer: Officer,
    place: PicturePlace,
    said: { alt: string; caption: string; person: PicturePerson | null; ticket: string | undefined },
    save: (path: string) => Promise<void>,
  ): Promise<DescribedPicture>
  /** How many pictures are prepared before that of a ticket; null when none of it waits here. */
  ahead(ticket: string): number | null
  describe(officer: Officer, place: PicturePlace, said: BodyOf<typeof describePicture>): Promise<DescribedPicture>
  /** @throws Problem with a sentence for the field `crop` */
  crop(officer: Officer, place: PicturePlace, crop: PictureCrop): Promise<PictureDetail>
  uncrop(officer: Officer, place: PicturePlace): Promise<PictureDetail>
  /** @throws Problem CHANGED_MEANWHILE when it is used elsewhere than was seen */
  replace(officer: Officer, place: PicturePlace, wish: BodyOf<typeof replacePicture>): Promise<PictureDetail>
  /** @throws Problem PICTURE_IN_USE */
  remove(officer: Officer, place: PicturePlace): Promise<void>
}

/** Pictures as officers tend them: what each shows, how it is cropped, where it is used, adding, replacing and deleting. */
export function createMediaConsoleService({
  db,
  clock,
  store,
  workshop,
  pictures,
  people,
  users,
}: {
  db: Kysely<Schema>
  clock: Clock
  store: MediaStore
  workshop: PictureWorkshop
  /** Who may have a portrait. */
  people(): readonly ListedPerson[]
  pictures: Pick<PicturesService, 'forget'>
  users: readonly PictureUser[]
}): MediaConsoleService {
  const previews = createPicturePreviews(workshop)

  async function usesOf(images: readonly StoredImage[]): Promise<Map<string, PictureUse[]>> {
    const found = await Promise.all(users.map((user) => user.usesOf(images.map(addressOf))))
    return new Map(images.map(addressOf).map((address) => [address, found.flatMap((uses) => uses.get(address) ?? [])]))
  }

  async function describeAll({ bucket, folder }: Place, images: StoredImage[]): Promise<DescribedPicture[]> {
    const [descriptions, uses] = await Promise.all([listDescriptions(db), usesOf(images)])
    return images.map((image) => {
      const said = descriptions.get(keyOf({ bucket, folder, filename: image.filename })) ?? NOTHING_SAID
      const { alt, caption, person } = said
      return {
        ...image,
        alt,
        caption,
        person: person && { ...person, isListed: isListed(person, people()) },
        address: addressOf(image),
        usedIn: uses.get(addressOf(image)) ?? [],
      }
    })
  }

  async function getPicture({ filename, ...place }: PicturePlace): Promise<DescribedPicture> {
    if (!MEDIA_FOLDERS[`${place.bucket}/${place.folder}`]) throw new Problem('NOT_FOUND')
    const images = await store.list(place.bucket as Bucket, place.folder as Folder)
    const [picture] = await describeAll(
      place,
      images.filter((image) => image.filename === filename),
    )
    if (!picture) throw new Problem('NOT_FOUND')
    return picture
  }

  /** What it was before it was cropped; while it is whole, itself. */
  async function readWhole({
    bucket,
    folder,
    filename,
  }: PicturePlace): Promise<{ name: string; crop: PictureCrop | null; read(): Promise<Buffer> }> {
    const [home, inside] = [bucket as Bucket, folder as Folder]
    const original = originalAmong(filename, await store.files(home, inside, filename))
    const name = original?.name ?? filename
    return { name, crop: original?.crop ?? null, read: () => store.read(home, inside, name) }
  }

  async function detailOf(place: PicturePlace): Promise<PictureDetail> {
    const picture = await getPicture(place)
    const words = wordsOf(place)
    const common = {
      ...picture,
      ...words,
      people: words.hasPeople ? [...people()] : [],
      isChosen: place.folder === WORDS_FOLDER.folder,
    }
    if (!isCroppable(place.filename)) return { ...common, original: null, crop: null }
    const whole = await readWhole(place)
    return { ...common, original: await previews.of(`${picture.url} ${whole.name}`, whole.read), crop: whole.crop }
  }

  /** @throws Problem with a sentence for the field `person` */
  function refuseUnlisted(place: Place, person: PicturePerson | null | undefined): void {
    if (!person) return
    if (!wordsOf(place).hasPeople) throw fieldProblem('person', 'Only portraits show a person')
    if (!isListed(person, people()))
      throw fieldProblem('person', `Nobody called ${person.name} is listed there now. Please choose again`)
  }

  /** What is said of it from now on, on every instance within a second. */
  async function say(
    officer: Officer,
    action: AuditAction,
    place: PicturePlace,
    { before, after }: { before: PictureDescription | null; after: PictureDescription },
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await holdContent(tx)
      await saveDescription(tx, place, after)
      await writeDown(officer, action, place, { before, after }, tx)
      await raiseContentVersion(tx)
    })
  }

  async function saidOf(place: PicturePlace): Promise<PictureDescription | null> {
    return (await listDescriptions(db)).get(keyOf(place)) ?? null
  }

  /** Brings a picture to the store as another one is made of it. */
  async function change(
    place: PicturePlace,
    read: () => Promise<Buffer>,
    task: Parameters<Turn['prepare']>[0],
  ): Promise<void> {
    await workshop.withTurn({ small: true }, async (turn) => {
      await writeSource(turn, await read())
      await turn.prepare(task, (prepared) => store.put(place.bucket as Bucket, place.folder as Folder, prepared))
    })
  }

  async function writeDown(
    officer: Officer,
    action: AuditAction,
    { bucket, folder, filename }: PicturePlace,
    details: { before: unknown; after: unknown },
    tx: Kysely<Schema> | Tx = db,
  ): Promise<void> {
    const entry = { actor: officer.accountId, action, subjectId: `${bucket}/${folder}/${filename}`, details }
    await writeAudit(tx, entry, clock.now())
  }

  return {
    get: detailOf,

    async list() {
      const places = Object.entries(mediaFolders).flatMap(([bucket, folders]) =>
        folders.map((folder) => ({ bucket, folder })),
      )
      const folders = await Promise.all(
        places.map(async (place) => {
          // The other folders may answer.
          const images = await store.list(place.bucket as Bucket, place.folder).catch(() => null)
          return { ...place, ...wordsOf(place), pictures: images && (await describeAll(place, images)) }
        }),
      )
      const order = Object.keys(MEDIA_FOLDERS)
      const rank = ({ bucket, folder }: Place) => order.indexOf(`${bucket}/${folder}`)
      const drawings = (await listDrawings()).map((name) => ({ name, url: `/art/${name}.svg` }))
      return { folders: folders.sort((a, b) => rank(a) - rank(b)), people: [...people()], drawings }
    },

    ahead: workshop.ahead,

    async add(officer, { bucket, folder, filename }, { ticket, ...after }, save) {
      if (!MEDIA_FOLDERS[`${bucket}/${folder}`]) throw new Problem('NOT_FOUND')
      refuseUnlisted({ bucket, folder }, after.person)
      const place = await workshop.withTurn(ticket === undefined ? {} : { ticket }, async (turn) => {
        await save(turn.source)
        const prepared = turn.prepare({ kind: 'prepare', filename }, async (picture) => {
          const stored = { bucket, folder, filename: picture.filename }
          const before = await saidOf(stored)
          // A portrait that is replaced by another file must not be shown with the person before, not even for a moment.
          if (before?.person)
            await say(officer, 'picture.described', stored, { before, after: { ...before, person: null } })
          await store.put(bucket as Bucket, folder as Folder, picture)
          await say(officer, 'picture.added', stored, { before, after })
          return stored
        })
        return refusedAs('file', prepared)
      })
      pictures.forget(bucket, folder)
      return getPicture(place)
    },

    async describe(officer, place, said) {
      refuseUnlisted(place, said.person)
      await getPicture(place)
      const before = (await saidOf(place)) ?? NOTHING_SAID
      const { alt, caption = before.caption, person = before.person } = said
      await say(officer, 'picture.described', place, { before, after: { alt, caption, person } })
      return getPicture(place)
    },

    async crop(officer, place, crop) {
      await getPicture(place)
      if (!isCroppable(place.filename)) throw fieldProblem('crop', 'Drawings and moving pictures are not cropped.')
      const { read, crop: before } = await readWhole(place)
      await refusedAs('crop', change(place, read, { kind: 'crop', filename: place.filename, crop }))
      await writeDown(officer, 'picture.cropped', place, { before, after: crop })
      pictures.forget(place.bucket, place.folder)
      return detailOf(place)
    },

    async uncrop(officer, place) {
      await getPicture(place)
      const { read, crop: before } = await readWhole(place)
      if (before) {
        await refusedAs('crop', change(place, read, { kind: 'sizes', filename: place.filename }))
        await writeDown(officer, 'picture.uncropped', place, { before, after: null })
        pictures.forget(place.bucket, place.folder)
      }
      return detailOf(place)
    },

    async replace(officer, place, { by, byPlace = place, seen }) {
      const [{ address: from, usedIn }, { address: to }] = await Promise.all([
        getPicture(place),
        getPicture({ bucket: byPlace.bucket, folder: byPlace.folder, filename: by }),
      ])
      if (from === to) throw fieldProblem('by', 'Please choose another picture than this one')
      const now = usedIn.filter(isReplaceable).map(({ path }) => path)
      if (now.toSorted().join('\n') !== seen.toSorted().join('\n')) throw new Problem('CHANGED_MEANWHILE')
      await db.transaction().execute(async (tx) => {
        for (const user of users) await user.replacePicture(tx, officer, { from, to })
        await writeDown(officer, 'picture.replaced', place, { before: from, after: to }, tx)
      })
      return detailOf(place)
    },

    async remove(officer, place) {
      const { usedIn } = await getPicture(place)
      const uses = usedIn.filter(isReplaceable)
      if (uses.length > 0) throw new Problem('PICTURE_IN_USE', { message: inUse(uses) })
      await store.remove(place.bucket as Bucket, place.folder as Folder, place.filename)
      const before = await saidOf(place)
      await db.transaction().execute(async (tx) => {
        await holdContent(tx)
        await forgetDescription(tx, place)
        await writeDown(officer, 'picture.deleted', place, { before, after: null }, tx)
        await raiseContentVersion(tx)
      })
      pictures.forget(place.bucket, place.folder)
    },
  }
}

const NOTHING_SAID: PictureDescription = { alt: '', caption: null, person: null }

function inUse(uses: readonly PictureUse[]): string {
  const named = uses.slice(0, NAMED).map(({ title, what }) => `“${title}” (${what})`)
  const more = uses.length > NAMED ? [`${uses.length - NAMED} more`] : []
  return `This picture is used in ${[...named, ...more].join(', ')}. Put another in its place first.`
}

/** The sentence of a refusal, under the field it is about. */
async function refusedAs<T>(field: string, making: Promise<T>): Promise<T> {
  try {
    return await making
  } catch (error) {
    throw error instanceof RefusedPicture ? fieldProblem(field, error.message) : error
  }
}
