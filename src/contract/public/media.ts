import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Where pictures may lie: the listed folders (docs/product-rules.md#buckets), and one for what officers choose while they write. */
export const mediaFolders = {
  home: ['hero', 'gallery', 'articles'],
  clinic: ['hero'],
  exec: ['team'],
} as const satisfies Record<string, readonly string[]>

/** Pictures for events, news and pages: shown where they are written of, and never listed to everybody (docs/product-rules.md#buckets). */
export const WORDS_FOLDER = { bucket: 'home', folder: 'articles' } as const

export type Bucket = keyof typeof mediaFolders
export type FolderOf<B extends Bucket> = (typeof mediaFolders)[B][number]
export type Folder = FolderOf<Bucket>

/** The same picture, smaller or in a newer format. */
const imageSize = z.object({
  url: z.string().check(z.minLength(1)),
  /** Pixels. */
  width: z.int().check(z.gte(1)),
  type: z.enum(['image/avif', 'image/webp']),
})

/** Where people are listed who may have a portrait: the committee and the boards together, or the students' and residents' forum. */
export const PEOPLE_LISTS = ['leaders', 'forum'] as const

/** Somebody who is listed on the site, by the name that stands there. */
export const picturePerson = z.object({ list: z.enum(PEOPLE_LISTS), name: z.string() })
export type PicturePerson = z.infer<typeof picturePerson>

/** A picture of the store. */
export const storedImage = z.object({
  key: z.string(),
  /** A path of this site, or an address of the object storage. */
  url: z.string().check(z.minLength(1)),
  filename: z.string(),
  /** Bytes. */
  size: z.int().check(z.gte(0)),
  lastModified: z.string(),
  /** Left out for drawings and where there is only the picture itself. */
  sizes: z.optional(z.array(imageSize)),
  /** What it shows, for who cannot see it; left out where nobody has said. */
  alt: z.optional(z.string()),
  /** What stands under it, empty for nothing; left out where nobody has said. */
  caption: z.optional(z.string()),
  /** Whose portrait it is; left out for any other picture, and where nobody of that name is listed. */
  person: z.optional(picturePerson),
})

/** The part of a picture that is shown, in ten-thousandths of its width and height. */
export const pictureCrop = z.object({
  left: z.int().check(z.gte(0), z.lt(10_000)),
  top: z.int().check(z.gte(0), z.lt(10_000)),
  width: z.int().check(z.gte(1), z.lte(10_000)),
  height: z.int().check(z.gte(1), z.lte(10_000)),
})
export type PictureCrop = z.infer<typeof pictureCrop>

export type StoredImage = z.infer<typeof storedImage>
export type ImageSize = z.infer<typeof imageSize>

export const listImages = endpoint({
  name: 'listImages',
  method: 'GET',
  path: '/api/s3/:bucket/folder/:folder',
  access: 'anyone',
  summary: 'The pictures of a folder, by name; an empty list for whatever stands in the way',
  params: z.object({ bucket: z.string(), folder: z.string() }),
  reply: z.object({
    /** False when there is no such folder, or the store did not answer: then `data.images` is empty. */
    success: z.boolean(),
    message: z.string(),
    data: z.object({ images: z.array(storedImage) }),
  }),
  failures: [],
})
