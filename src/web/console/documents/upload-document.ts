import {
  addDocument,
  DOCUMENT_MAX_BYTES,
  DOCUMENT_TOO_LARGE,
  type DocumentDetail,
} from '#contract/console/website/documents.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'

/** @throws Error with a message for the officer, CallFailure */
export async function uploadDocument(file: File): Promise<DocumentDetail> {
  requireDocument(file)
  return callAsOfficer(addDocument, { query: { filename: file.name }, file })
}

/** Says at once what the server would refuse. @throws Error */
export function requireDocument(file: File): void {
  if (file.size > DOCUMENT_MAX_BYTES) throw new Error(DOCUMENT_TOO_LARGE)
  if (!/\.pdf$/i.test(file.name)) throw new Error('Only PDF documents can be added.')
}

export function formatBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
