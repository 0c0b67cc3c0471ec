import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { pictureUse } from '../media.ts'

/** Console endpoints for PDF documents. */

/** In bytes. */
export const DOCUMENT_MAX_BYTES = 20 * 1024 * 1024
export const DOCUMENT_TOO_LARGE = 'The document is larger than 20 MB. Save a smaller version and add that.'

const documentSummary = z.object({
  id: z.string(),
  title: z.string(),
  /** Its path, such as `/documents/bylaws.pdf`: stays the same when the file is replaced. */
  address: z.string(),
  bytes: z.int(),
  pages: z.int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
  usedIn: z.array(pictureUse),
})
export type DocumentSummary = z.infer<typeof documentSummary>

const documentDetail = z.extend(documentSummary, {
  /** Optimistic-lock token; a mismatch means a concurrent edit. */
  version: z.int(),
  /** Newest first; the first is what visitors get. */
  versions: z.array(
    z.object({
      number: z.int(),
      filename: z.string(),
      bytes: z.int(),
      pages: z.int(),
      at: z.string(),
      by: z.string(),
      /** Whether visitors get this file. */
      isCurrent: z.boolean(),
    }),
  ),
})
export type DocumentDetail = z.infer<typeof documentDetail>

const params = z.object({ id: lineField(messages.text.unreadable, 64) })
const version = z.int()
const queryNumber = z.string().check(z.regex(/^[1-9]\d{0,6}$/, messages.text.unreadable))
const titleField = lineField('Please enter a title', 200)
const fileField = lineField(messages.text.unreadable, 200)

export const listDocuments = endpoint({
  name: 'listDocuments',
  method: 'GET',
  path: '/api/console/documents',
  access: 'officer',
  permission: 'content.change',
  summary: 'List the documents by title, with their uses',
  query: z.object({
    q: z.optional(lineField(messages.text.unreadable, 100)),
    sort: z.optional(z.enum(['title', 'changed'])),
    page: z.optional(queryNumber),
    size: z.optional(z.enum(['25', '50', '100'])),
  }),
  reply: z.object({ documents: z.array(documentSummary), total: z.int() }),
  failures: [],
})

export const getDocument = endpoint({
  name: 'getDocument',
  method: 'GET',
  path: '/api/console/documents/:id',
  access: 'officer',
  permission: 'content.change',
  summary: 'Get a document with its versions and uses',
  params,
  reply: documentDetail,
  failures: ['NOT_FOUND'],
})

export const addDocument = endpoint({
  name: 'addDocument',
  method: 'POST',
  path: '/api/console/document-files',
  access: 'officer',
  permission: 'content.change',
  summary: 'Upload a PDF document as the raw body; its address is made from the title or the file name',
  query: z.object({ filename: fileField, title: z.optional(titleField) }),
  uploadBytes: DOCUMENT_MAX_BYTES,
  tooLarge: DOCUMENT_TOO_LARGE,
  reply: documentDetail,
  status: 201,
  failures: ['TOO_LARGE', 'PICTURES_BUSY'],
})

export const replaceDocument = endpoint({
  name: 'replaceDocument',
  method: 'POST',
  path: '/api/console/document-files/:id',
  access: 'officer',
  permission: 'content.change',
  summary: 'Replace the file of a document, which keeps its address; the former file stays as a version',
  params,
  query: z.object({ filename: fileField, version: queryNumber }),
  uploadBytes: DOCUMENT_MAX_BYTES,
  tooLarge: DOCUMENT_TOO_LARGE,
  reply: documentDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'TOO_LARGE', 'PICTURES_BUSY'],
})

export const renameDocument = endpoint({
  name: 'renameDocument',
  method: 'PUT',
  path: '/api/console/documents/:id',
  access: 'officer',
  permission: 'content.change',
  summary: 'Change the title of a document, which keeps its address',
  params,
  body: z.object({ title: titleField, version }),
  reply: documentDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const restoreDocument = endpoint({
  name: 'restoreDocument',
  method: 'POST',
  path: '/api/console/documents/:id/restore',
  access: 'officer',
  permission: 'content.change',
  summary: 'Give visitors an earlier file of a document again, as a new version',
  params,
  body: z.object({ number: z.int(), version }),
  reply: documentDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const downloadDocumentVersion = fileEndpoint({
  name: 'downloadDocumentVersion',
  method: 'GET',
  path: '/api/console/documents/:id/versions/:number',
  access: 'officer',
  permission: 'content.change',
  summary: 'Download the file of a version',
  params: z.extend(params, { number: queryNumber }),
  media: 'application/pdf',
  failures: ['NOT_FOUND'],
})

export const deleteDocument = endpoint({
  name: 'deleteDocument',
  method: 'DELETE',
  path: '/api/console/documents/:id',
  access: 'officer',
  permission: 'content.change',
  requiresFreshFactor: true,
  summary: 'Delete a document with all its versions; rejected while anything but a sent newsletter links to it',
  params,
  query: z.object({ version: queryNumber }),
  status: 204,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'DOCUMENT_IN_USE'],
})
