import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { blankLineField, lineField } from '../fields.ts'
import { PEOPLE_LISTS, pictureCrop, picturePerson, storedImage } from '../public/media.ts'
import { messages } from '../messages.ts'

/** Console endpoints for images. */

/** Maximum size of an upload in bytes, enough for a camera's original. */
export const PICTURE_MAX_BYTES = 25 * 1024 * 1024
export const PICTURE_TOO_LARGE = 'The image is larger than 25 MB. Reduce its size and try again.'
export const PICTURE_IS_HEIC =
  'This image is in HEIC format, which browsers cannot show. On your iPhone, choose Settings, Camera, Formats, “Most Compatible”, or save it as a JPEG and upload that.'

/** How an image is used: published, in a draft, in a scheduled publication, or in a newsletter that was sent. */
export const PICTURE_USES = ['public', 'draft', 'scheduled', 'sent'] as const
export type PictureUseKind = (typeof PICTURE_USES)[number]

export const pictureUse = z.object({
  title: z.string(),
  /** Singular name, such as `event`. */
  what: z.string(),
  /** Its page in the console. */
  path: z.string(),
  how: z.array(z.enum(PICTURE_USES)),
})
export type PictureUse = z.infer<typeof pictureUse>

/** Images in a sent newsletter cannot be replaced. */
export function isReplaceable({ how }: Pick<PictureUse, 'how'>): boolean {
  return how.some((one) => one !== 'sent')
}

const listedPerson = z.extend(picturePerson, { where: z.array(z.string()) })
export type ListedPerson = z.infer<typeof listedPerson>

/** Metadata of the images of a folder besides the alt text. */
const folderFields = {
  /** A caption shown to visitors. */
  hasCaptions: z.boolean(),
  /** The person a portrait shows. */
  hasPeople: z.boolean(),
}

const describedPicture = z.extend(storedImage, {
  bucket: z.string(),
  folder: z.string(),
  /** Its name in the library. */
  name: z.string(),
  /** The alt text; empty if there is none. */
  alt: z.string(),
  /** The caption; null if there is none, in which case it is derived from the file name. */
  caption: z.nullable(z.string()),
  /** The person a portrait shows. `isListed` is false once that name is no longer on the site; then the portrait is hidden. */
  person: z.nullable(z.extend(picturePerson, { isListed: z.boolean() })),
  /** The value that a field of an event or news item takes. */
  address: z.string(),
  usedIn: z.array(pictureUse),
})
export type DescribedPicture = z.infer<typeof describedPicture>

const mediaFolder = z.object({
  bucket: z.string(),
  folder: z.string(),
  label: z.string(),
  /** How all images of the folder are shown. */
  use: z.string(),
  ...folderFields,
  /** null if the store did not respond. */
  count: z.nullable(z.int()),
})
export type MediaFolder = z.infer<typeof mediaFolder>

const pictureDetail = z.extend(describedPicture, {
  /** Metadata options of its folder. */
  label: z.string(),
  use: z.string(),
  ...folderFields,
  /** The people to choose from; empty if the image is not a portrait. */
  people: z.array(listedPerson),
  /** Whether it is shown only where officers chose it. */
  isChosen: z.boolean(),
  /** The uncropped image at preview size; null if it cannot be cropped. */
  original: z.nullable(z.object({ width: z.int(), height: z.int(), preview: z.string() })),
  /** null if it is not cropped. */
  crop: z.nullable(pictureCrop),
})
export type PictureDetail = z.infer<typeof pictureDetail>

const altField = lineField('Please describe the image', 300)
const captionField = blankLineField(200)
const nameField = lineField('Please choose the person', 300)
const folderParams = z.object({
  bucket: lineField(messages.text.unreadable, 40),
  folder: lineField(messages.text.unreadable, 40),
})
const pictureParams = z.extend(folderParams, { filename: lineField(messages.text.unreadable, 200) })

/** `undescribed`: without alt text; `unused`: shown nowhere, although only chosen images of its folder are shown. */
export const PICTURE_FILTERS = ['undescribed', 'unused'] as const

export const listPictures = endpoint({
  name: 'listPictures',
  method: 'GET',
  path: '/api/console/media',
  access: 'officer',
  permission: 'content.change',
  summary: 'List images with their descriptions and uses: of a folder in its order, or of all with the newest first',
  query: z.object({
    q: z.optional(lineField(messages.text.unreadable, 100)),
    /** Such as `home/gallery`. */
    folder: z.optional(lineField(messages.text.unreadable, 80)),
    filter: z.optional(z.enum(PICTURE_FILTERS)),
    sort: z.optional(z.enum(['recent', 'name'])),
    /** Starts at 1. */
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/, messages.text.unreadable))),
  }),
  reply: z.object({
    folders: z.array(mediaFolder),
    pictures: z.array(describedPicture),
    total: z.int(),
    pages: z.int(),
    /** How many of all images have no alt text. */
    undescribed: z.int(),
    /** People whose portrait an image may be. */
    people: z.array(listedPerson),
    /** The site's built-in drawings, by the names that events, news and pages use. */
    drawings: z.array(z.object({ name: z.string(), url: z.string() })),
  }),
  failures: [],
})

export const orderPictures = endpoint({
  name: 'orderPictures',
  method: 'PUT',
  path: '/api/console/media-order/:bucket/:folder',
  access: 'officer',
  permission: 'content.change',
  summary: 'Set the order in which the images of a folder are shown',
  params: folderParams,
  body: z.object({ filenames: z.array(lineField(messages.text.unreadable, 200)).check(z.maxLength(1_000)) }),
  status: 204,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const addPicture = endpoint({
  name: 'addPicture',
  method: 'POST',
  path: '/api/console/media/:bucket/:folder',
  access: 'officer',
  permission: 'content.change',
  summary: 'Upload an image as the raw body, replacing one with the same name',
  params: folderParams,
  query: z.object({
    filename: lineField(messages.text.unreadable, 200),
    /** Can be given afterwards: until then the library lists it as not described. */
    alt: z.optional(altField),
    caption: z.optional(captionField),
    /** Set both to mark a portrait, or neither. */
    personList: z.optional(z.enum(PEOPLE_LISTS)),
    personName: z.optional(nameField),
    /** Prints a photograph in the site's two inks. */
    isPrint: z.optional(z.literal('true')),
    /** Generated by the browser; `getPictureQueue` finds the upload by it. */
    ticket: z.optional(lineField(messages.text.unreadable, 64)),
  }),
  uploadBytes: PICTURE_MAX_BYTES,
  tooLarge: PICTURE_TOO_LARGE,
  reply: describedPicture,
  status: 201,
  failures: ['NOT_FOUND', 'TOO_LARGE', 'PICTURES_BUSY'],
})

export const getPictureQueue = endpoint({
  name: 'getPictureQueue',
  method: 'GET',
  path: '/api/console/media-queue',
  access: 'officer',
  permission: 'content.change',
  summary: 'Get the number of images queued before an upload',
  query: z.object({ ticket: lineField(messages.text.unreadable, 64) }),
  /** 0 while it is being processed; null if it has not arrived or is done. */
  reply: z.object({ ahead: z.nullable(z.int()) }),
  failures: [],
})

export const describePicture = endpoint({
  name: 'describePicture',
  method: 'PUT',
  path: '/api/console/media/:bucket/:folder/:filename',
  access: 'officer',
  permission: 'content.change',
  summary: 'Set the alt text, caption, name and portrait of an image; omitted fields are unchanged, as is its address',
  params: pictureParams,
  body: z.object({
    alt: z.optional(altField),
    caption: z.optional(captionField),
    name: z.optional(lineField('Please enter a name', 200)),
    /** null if it shows no one. */
    person: z.optional(z.nullable(z.object({ list: z.enum(PEOPLE_LISTS), name: nameField }))),
  }),
  reply: describedPicture,
  failures: ['NOT_FOUND'],
})

export const deletePicture = endpoint({
  name: 'deletePicture',
  method: 'DELETE',
  path: '/api/console/media/:bucket/:folder/:filename',
  access: 'officer',
  permission: 'content.change',
  requiresFreshFactor: true,
  summary: 'Delete an image with its sizes; rejected while anything but a sent newsletter uses it',
  params: pictureParams,
  status: 204,
  failures: ['NOT_FOUND', 'PICTURE_IN_USE'],
})

export const getPicture = endpoint({
  name: 'getPicture',
  method: 'GET',
  path: '/api/console/media/:bucket/:folder/:filename',
  access: 'officer',
  permission: 'content.change',
  summary: 'Get an image, its uses and its crop',
  params: pictureParams,
  reply: pictureDetail,
  failures: ['NOT_FOUND', 'PICTURES_BUSY'],
})

export const cropPicture = endpoint({
  name: 'cropPicture',
  method: 'PUT',
  path: '/api/console/media/:bucket/:folder/:filename/crop',
  access: 'officer',
  permission: 'content.change',
  summary: 'Crop an image or print it in two inks, wherever it is used; always made from the original',
  params: pictureParams,
  body: pictureCrop,
  reply: pictureDetail,
  failures: ['NOT_FOUND', 'PICTURES_BUSY'],
})

export const uncropPicture = endpoint({
  name: 'uncropPicture',
  method: 'DELETE',
  path: '/api/console/media/:bucket/:folder/:filename/crop',
  access: 'officer',
  permission: 'content.change',
  summary: 'Reset the crop of an image',
  params: pictureParams,
  reply: pictureDetail,
  failures: ['NOT_FOUND', 'PICTURES_BUSY'],
})

export const replacePicture = endpoint({
  name: 'replacePicture',
  method: 'POST',
  path: '/api/console/media/:bucket/:folder/:filename/replacement',
  access: 'officer',
  permission: 'content.change',
  summary: 'Replace an image wherever it is used, each as a new version; sent newsletters are unchanged',
  params: pictureParams,
  body: z.object({
    by: lineField('Please choose an image', 200),
    /** The folder of that image, if it is another one. */
    byPlace: z.optional(folderParams),
    /** The paths of the uses shown to the officer; a mismatch means that nothing is changed. */
    seen: z.array(z.string().check(z.maxLength(400))).check(z.maxLength(2_000)),
  }),
  reply: pictureDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
