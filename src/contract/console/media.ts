import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { blankLineField, lineField } from './fields.ts'
import { PEOPLE_LISTS, pictureCrop, picturePerson, storedImage } from './media.ts'
import { messages } from './messages.ts'

/** Calls of the console about the pictures of the site. */

/** Bytes of a picture, as it comes from a camera. */
export const MOST_PICTURE_BYTES = 25 * 1024 * 1024
export const PICTURE_TOO_LARGE = 'The picture is larger than 25 MB. Save it smaller and try again.'
export const PICTURE_IS_HEIC =
  'This picture is HEIC, which browsers do not show. On the iPhone choose Settings, Camera, Formats, “Most Compatible”, or save this one as JPEG and add that.'

/** How something uses a picture: as visitors see it, in a draft, at a time to come, or in a letter that is in people's mailboxes. */
export const PICTURE_USES = ['public', 'draft', 'scheduled', 'sent'] as const
export type PictureUseKind = (typeof PICTURE_USES)[number]

const pictureUse = z.object({
  title: z.string(),
  /** What it is called, such as `event`. */
  what: z.string(),
  /** Its page in the console. */
  path: z.string(),
  how: z.array(z.enum(PICTURE_USES)),
})
export type PictureUse = z.infer<typeof pictureUse>

/** A letter that was sent is kept as people have it. */
export function isReplaceable({ how }: Pick<PictureUse, 'how'>): boolean {
  return how.some((one) => one !== 'sent')
}

const listedPerson = z.extend(picturePerson, { where: z.array(z.string()) })
export type ListedPerson = z.infer<typeof listedPerson>

/** What may be said of the pictures of a folder, besides what they show. */
const folderFields = {
  /** Words that visitors read under each. */
  hasCaptions: z.boolean(),
  /** Whose portrait each is. */
  hasPeople: z.boolean(),
}

const describedPicture = z.extend(storedImage, {
  /** What it shows, for who cannot see it; empty where nobody has said. */
  alt: z.string(),
  /** null where nobody has said: then the words of its file name stand under it. */
  caption: z.nullable(z.string()),
  /** Whose portrait it is; `isListed` is false once nobody of that name is on the site, and the portrait is not shown. */
  person: z.nullable(z.extend(picturePerson, { isListed: z.boolean() })),
  /** As a field of an event or a news item takes it. */
  address: z.string(),
  usedIn: z.array(pictureUse),
})
export type DescribedPicture = z.infer<typeof describedPicture>

const mediaFolder = z.object({
  bucket: z.string(),
  folder: z.string(),
  label: z.string(),
  /** What happens with all pictures of the folder. */
  use: z.string(),
  ...folderFields,
  /** null: the store did not answer. */
  pictures: z.nullable(z.array(describedPicture)),
})
export type MediaFolder = z.infer<typeof mediaFolder>

const pictureDetail = z.extend(describedPicture, {
  /** Of its folder. */
  label: z.string(),
  use: z.string(),
  ...folderFields,
  /** Who may be chosen; empty where no person is. */
  people: z.array(listedPerson),
  /** Whether it is shown only where officers chose it. */
  isChosen: z.boolean(),
  /** Before it was cropped, small enough to be looked at here; null for what cannot be cropped. */
  original: z.nullable(z.object({ width: z.int(), height: z.int(), preview: z.string() })),
  /** null while it is whole. */
  crop: z.nullable(pictureCrop),
})
export type PictureDetail = z.infer<typeof pictureDetail>

const altField = lineField('Please say what the picture shows', 300)
const captionField = blankLineField(200)
const nameField = lineField('Please choose whose portrait it is', 300)
const folderParams = z.object({
  bucket: lineField(messages.text.unreadable, 40),
  folder: lineField(messages.text.unreadable, 40),
})
const pictureParams = z.extend(folderParams, { filename: lineField(messages.text.unreadable, 200) })

export const listMedia = endpoint({
  name: 'listMedia',
  method: 'GET',
  path: '/api/console/media',
  access: 'officer',
  permission: 'content.change',
  summary: 'The pictures of the site, folder by folder, with what they show and where they are used',
  reply: z.object({
    folders: z.array(mediaFolder),
    /** Whose portrait a picture may be. */
    people: z.array(listedPerson),
    /** The drawings that come with the site, by the names under which events, news and pages show them. */
    drawings: z.array(z.object({ name: z.string(), url: z.string() })),
  }),
  failures: [],
})

export const addPicture = endpoint({
  name: 'addPicture',
  method: 'POST',
  path: '/api/console/media/:bucket/:folder',
  access: 'officer',
  permission: 'content.change',
  summary: 'Takes a picture, the body as it is in its file; one of the same name is replaced',
  params: folderParams,
  query: z.object({
    filename: lineField(messages.text.unreadable, 200),
    alt: altField,
    caption: z.optional(captionField),
    /** Whose portrait it is: both, or neither. */
    personList: z.optional(z.enum(PEOPLE_LISTS)),
    personName: z.optional(nameField),
    /** Made up by the browser: `getPictureQueue` finds the upload by it. */
    ticket: z.optional(lineField(messages.text.unreadable, 64)),
  }),
  uploadBytes: MOST_PICTURE_BYTES,
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
  summary: 'How many pictures are prepared before one that is being uploaded',
  query: z.object({ ticket: lineField(messages.text.unreadable, 64) }),
  /** 0: it is being prepared; null: it has not arrived here, or is done. */
  reply: z.object({ ahead: z.nullable(z.int()) }),
  failures: [],
})

export const describePicture = endpoint({
  name: 'describePicture',
  method: 'PUT',
  path: '/api/console/media/:bucket/:folder/:filename',
  access: 'officer',
  permission: 'content.change',
  summary: 'Says what a picture shows, what stands under it and whose portrait it is; what is left out stays',
  params: pictureParams,
  body: z.object({
    alt: altField,
    caption: z.optional(captionField),
    /** null: nobody's. */
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
  asksAgain: true,
  summary: 'Deletes a picture with its sizes; refused while anything but a letter that was sent uses it',
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
  summary: 'One picture: what it shows, where it is used, how it is cropped',
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
  summary: 'Shows a part of a picture wherever it is used; the original is kept, and every crop is made from it',
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
  summary: 'Gives the whole picture back',
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
  summary: 'Puts another picture in its place wherever it is used, each as a new version; letters that were sent stay',
  params: pictureParams,
  body: z.object({
    by: lineField('Please choose a picture', 200),
    /** Where that one lies, unless beside this one. */
    byPlace: z.optional(folderParams),
    /** The paths of the uses that were shown: when there are others by now, nothing is changed. */
    seen: z.array(z.string().check(z.maxLength(400))).check(z.maxLength(2_000)),
  }),
  reply: pictureDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
