import type { BodyKey, LeaderBody } from '#contract/association.ts'
import type { ForumMember } from '#contract/forum.ts'
import type { PicturePerson, StoredImage } from '#contract/media.ts'

export interface PicturePlace {
  bucket: string
  folder: string
  filename: string
}

/** What officers say of a picture. */
export interface PictureDescription {
  /** Empty where nobody has said. */
  alt: string
  /** null where nobody has said; empty for no caption. */
  caption: string | null
  /** Whose portrait it is. */
  person: PicturePerson | null
}

/** `bucket/folder/filename`. */
export function keyOf({ bucket, folder, filename }: PicturePlace): string {
  return `${bucket}/${folder}/${filename}`
}

/** Somebody who may have a portrait, with where visitors find them. */
export interface ListedPerson extends PicturePerson {
  where: string[]
}

/** Whoever the site lists now, each name once in each list: one name on two boards is one person, in the forum it is another. */
export function listedPeople({
  bodies,
  forumTeam,
}: {
  bodies: ReadonlyMap<BodyKey, LeaderBody>
  forumTeam: readonly ForumMember[]
}): ListedPerson[] {
  const people = new Map<string, ListedPerson>()
  function add(person: PicturePerson, where: string): void {
    const key = `${person.list}/${person.name}`
    const known = people.get(key)
    if (known) known.where.push(where)
    else people.set(key, { ...person, where: [where] })
  }
  for (const { title, members } of bodies.values())
    for (const { name, role } of members) add({ list: 'leaders', name }, role ? `${title}, ${role}` : title)
  for (const { name, role } of forumTeam) add({ list: 'forum', name }, `Students’ and residents’ forum, ${role}`)
  return [...people.values()].sort((a, b) => a.name.localeCompare(b.name))
}

export function isListed(person: PicturePerson, people: readonly PicturePerson[]): boolean {
  return people.some(({ list, name }) => list === person.list && name === person.name)
}

/** The pictures with what officers said of them. Somebody who is no longer listed is not named: the name may be all that is left of them. */
export function describedImages(
  place: Omit<PicturePlace, 'filename'>,
  images: readonly StoredImage[],
  { descriptions, people }: { descriptions: ReadonlyMap<string, PictureDescription>; people: readonly PicturePerson[] },
): StoredImage[] {
  return images.map((image) => {
    const said = descriptions.get(keyOf({ ...place, filename: image.filename }))
    if (!said) return image
    const { alt, caption, person } = said
    return {
      ...image,
      ...(alt && { alt }),
      ...(caption !== null && { caption }),
      ...(person && isListed(person, people) && { person }),
    }
  })
}
