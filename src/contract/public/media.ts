import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** Where images are stored: the listed folders (docs/product-rules.md#buckets), and one for images that officers choose while writing. */
export const mediaFolders = {
  home: ['hero', 'gallery', 'articles'],
  clinic: ['hero'],
  exec: ['team'],
} as const satisfies Record<string, readonly string[]>

/** Images for events, news and pages. They are shown where they are used and never listed publicly (docs/product-rules.md#buckets). */
export const ARTICLES_FOLDER = { bucket: 'home', folder: 'articles' } as const

export type Bucket = keyof typeof mediaFolders
export type FolderOf<B extends Bucket> = (typeof mediaFolders)[B][number]
export type Folder = FolderOf<Bucket>

/** The same image, smaller or in a newer format. */
const imageSize = z.object({
  url: z.string().check(z.minLength(1)),
  /** Pixels. */
  width: z.int().check(z.gte(1)),
  type: z.enum(['image/avif', 'image/webp']),
})

/** Groups of people who may have a portrait: the committee and the boards together, or the forum. */
export const PEOPLE_LISTS = ['leaders', 'forum'] as const

/** A person listed on the site, by name. */
export const picturePerson = z.object({ list: z.enum(PEOPLE_LISTS), name: z.string() })
export type PicturePerson = z.infer<typeof picturePerson>

/** A stored image. */
export const storedImage = z.object({
  key: z.string(),
  /** A path of this site, or a URL of the object storage. */
  url: z.string().check(z.minLength(1)),
  filename: z.string(),
  /** Bytes. */
  size: z.int().check(z.gte(0)),
  lastModified: z.string(),
  /** Omitted for drawings and for images without variants. */
  sizes: z.optional(z.array(imageSize)),
  /** The alt text; omitted if there is none. */
  alt: z.optional(z.string()),
  /** The caption, empty for none; omitted if not set. */
  caption: z.optional(z.string()),
  /** The person a portrait shows; omitted for other images and if no one with that name is listed. */
  person: z.optional(picturePerson),
})

/** The visible part of an image, in ten-thousandths of its width and height, and whether it is printed in the site's two inks. */
export const pictureCrop = z.object({
  left: z.int().check(z.gte(0), z.lt(10_000)),
  top: z.int().check(z.gte(0), z.lt(10_000)),
  width: z.int().check(z.gte(1), z.lte(10_000)),
  height: z.int().check(z.gte(1), z.lte(10_000)),
  isPrint: z.optional(z.boolean()),
})
export type PictureCrop = z.infer<typeof pictureCrop>

export type StoredImage = z.infer<typeof storedImage>
export type ImageSize = z.infer<typeof imageSize>

export const listImages = endpoint({
  name: 'listImages',
  method: 'GET',
  path: '/api/s3/:bucket/folder/:folder',
  access: 'anyone',
  summary: 'List the images of a folder by name; the list is empty on any failure',
  params: z.object({ bucket: z.string(), folder: z.string() }),
  reply: z.object({
    /** False if the folder does not exist or the store did not respond; then `data.images` is empty. */
    success: z.boolean(),
    message: z.string(),
    data: z.object({ images: z.array(storedImage) }),
  }),
  failures: [],
})
