import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { storedImage } from './media.ts'
import { messages } from './messages.ts'

/** Calls of the console about the pictures of the site (issue 8, 5). */

/** Bytes of a picture, as it comes from a camera. */
export const MOST_PICTURE_BYTES = 25 * 1024 * 1024
export const PICTURE_TOO_LARGE = 'The picture is larger than 25 MB. Save it smaller and try again.'

const describedPicture = z.extend(storedImage, {
  /** What it shows, for who cannot see it; empty where nobody has said. */
  alt: z.string(),
  /** As a field of an event or a news item takes it. */
  address: z.string(),
  usedIn: z.array(z.object({ title: z.string(), path: z.string() })),
})
export type DescribedPicture = z.infer<typeof describedPicture>

const mediaFolder = z.object({
  bucket: z.string(),
  folder: z.string(),
  label: z.string(),
  /** What happens with all pictures of the folder. */
  use: z.string(),
  /** null: the store did not answer. */
  pictures: z.nullable(z.array(describedPicture)),
})
export type MediaFolder = z.infer<typeof mediaFolder>

const altField = lineField('Please say what the picture shows', 300)
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
  reply: z.object({ folders: z.array(mediaFolder) }),
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
  query: z.object({ filename: lineField(messages.text.unreadable, 200), alt: altField }),
  uploadBytes: MOST_PICTURE_BYTES,
  reply: describedPicture,
  status: 201,
  failures: ['NOT_FOUND', 'TOO_LARGE'],
})

export const describePicture = endpoint({
  name: 'describePicture',
  method: 'PUT',
  path: '/api/console/media/:bucket/:folder/:filename',
  access: 'officer',
  permission: 'content.change',
  summary: 'Says what a picture shows',
  params: pictureParams,
  body: z.object({ alt: altField }),
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
  summary: 'Deletes a picture with its sizes; where it is used it will be missing',
  params: pictureParams,
  status: 204,
  failures: ['NOT_FOUND'],
})
