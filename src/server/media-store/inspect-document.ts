import { open, readFile, stat } from 'node:fs/promises'
import { DOCUMENT_MAX_BYTES, DOCUMENT_TOO_LARGE } from '#contract/console/website/documents.ts'
import { PictureRejectedError } from './pictures/picture-rejected-error.ts'

const HEADER_BYTES = 1_024
const NO_PDF = 'This is not a PDF document. Save it as PDF and add that.'
const DAMAGED = 'The document is damaged and cannot be read completely. Save it as PDF once more and add that.'
const ENCRYPTED = 'This document is protected with a password. Save it without one and add that.'
const ACTIVE =
  'This document contains scripts, attachments or actions that start programs. Print it to a new PDF and add that.'

/** Names in a dictionary that make a viewer run, open or send something. */
const ACTIVE_NAMES = [
  'JS',
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'ImportData',
  'SubmitForm',
  'XFA',
]

/**
 * Checks a PDF by its content. Runs in the process for untrusted files.
 * @throws PictureRejectedError
 */
export async function inspectDocument(source: string): Promise<{ pages: number }> {
  const { size } = await stat(source)
  if (size === 0) throw new PictureRejectedError('The file is empty.')
  if (size > DOCUMENT_MAX_BYTES) throw new PictureRejectedError(DOCUMENT_TOO_LARGE)
  if (!(await readStart(source)).startsWith('%PDF-')) throw new PictureRejectedError(NO_PDF)
  const { PDFArray, PDFDict, PDFDocument, PDFName, PDFStream } = await import('pdf-lib')
  const nameOf = (key: unknown) => (key instanceof PDFName ? key.decodeText() : '')
  const document = await PDFDocument.load(await readFile(source), {
    updateMetadata: false,
    ignoreEncryption: true,
  }).catch(() => {
    throw new PictureRejectedError(DAMAGED)
  })
  if (document.isEncrypted) throw new PictureRejectedError(ENCRYPTED)
  const isActive = (value: unknown): boolean => {
    if (value instanceof PDFArray) return value.asArray().some(isActive)
    if (value instanceof PDFStream) return isActive(value.dict)
    if (value instanceof PDFDict)
      return value.entries().some(([key, one]) => ACTIVE_NAMES.includes(nameOf(key)) || isActive(one))
    return ACTIVE_NAMES.includes(nameOf(value))
  }
  if (document.context.enumerateIndirectObjects().some(([, object]) => isActive(object)))
    throw new PictureRejectedError(ACTIVE)
  const pages = countPages(document)
  if (pages === 0) throw new PictureRejectedError(DAMAGED)
  return { pages }
}

function countPages(document: { getPageCount(): number }): number {
  try {
    return document.getPageCount()
  } catch {
    return 0
  }
}

async function readStart(source: string): Promise<string> {
  const file = await open(source)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } finally {
    await file.close()
  }
}
