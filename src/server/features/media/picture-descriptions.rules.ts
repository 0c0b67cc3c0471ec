import type { ForumMember } from '#contract/public/forum.ts'
import type { PicturePerson, StoredImage } from '#contract/public/media.ts'

export interface PictureRef {
  bucket: string
  folder: string
  filename: string
}

/** A picture's description by officers. */
export interface PictureDescription {
  /** Empty if not set. */
  alt: string
  /** null if not set; empty for no caption. */
  caption: string | null
  /** The person, if it is a portrait. */
  person: PicturePerson | null
  /** The name in the library; null for the file name. */
  name: string | null
  /** The place in its folder; null for a picture that comes after those with one. */
  position: number | null
}

/** `bucket/folder/filename`. */
export function pictureKey({ bucket, folder, filename }: PictureRef): string {
  return `${bucket}/${folder}/${filename}`
}

/** A person who may have a portrait, with the pages that list them. */
export interface ListedPerson extends PicturePerson {
  where: string[]
}

/** The people the site lists now. The same name on two boards is one person, but a forum member of that name is another. */
export function listPeople({
  bodies,
  forumTeam,
}: {
  bodies: Iterable<{ title: string; members: readonly { name: string; role?: string | null | undefined }[] }>
  forumTeam: readonly Pick<ForumMember, 'name' | 'role'>[]
}): ListedPerson[] {
  const people = new Map<string, ListedPerson>()
  function add(person: PicturePerson, where: string): void {
    const key = `${person.list}/${person.name}`
    const known = people.get(key)
    if (known) known.where.push(where)
    else people.set(key, { ...person, where: [where] })
  }
  for (const { title, members } of bodies)
    for (const { name, role } of members) add({ list: 'leaders', name }, role ? `${title}, ${role}` : title)
  for (const { name, role } of forumTeam) add({ list: 'forum', name }, `Students’ and residents’ forum, ${role}`)
  return [...people.values()].sort((a, b) => a.name.localeCompare(b.name))
}

export function isListed(person: PicturePerson, people: readonly PicturePerson[]): boolean {
  return people.some(({ list, name }) => list === person.list && name === person.name)
}

/** Adds descriptions to images, in the order that officers chose. Omits a person who is no longer listed on the site. */
export function withDescriptions(
  ref: Omit<PictureRef, 'filename'>,
  images: readonly StoredImage[],
  { descriptions, people }: { descriptions: ReadonlyMap<string, PictureDescription>; people: readonly PicturePerson[] },
): StoredImage[] {
  return inOrder(ref, images, descriptions).map((image) => {
    const description = descriptions.get(pictureKey({ ...ref, filename: image.filename }))
    if (!description) return image
    const { alt, caption, person } = description
    return {
      ...image,
      ...(alt && { alt }),
      ...(caption !== null && { caption }),
      ...(person && isListed(person, people) && { person }),
    }
  })
}

/** Pictures without a place come last, in the order given. */
export function inOrder<T extends { filename: string }>(
  ref: Omit<PictureRef, 'filename'>,
  images: readonly T[],
  descriptions: ReadonlyMap<string, Pick<PictureDescription, 'position'>>,
): T[] {
  const associationOf = ({ filename }: T) =>
    descriptions.get(pictureKey({ ...ref, filename }))?.position ?? images.length
  return images.toSorted((a, b) => associationOf(a) - associationOf(b))
}
