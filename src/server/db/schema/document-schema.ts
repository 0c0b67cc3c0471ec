/** A PDF document, served under `/documents/{filename}`. */
export interface DocumentTable {
  id: string
  /** Never changes: pages and emails link to it. */
  filename: string
  title: string
  /** Increases with every change. */
  version: number
  /** The version of the file that visitors get. */
  number: number
  updatedAt: number
}

/** A file that a document had or has. */
export interface DocumentVersionTable {
  documentId: string
  /** 1, 2, 3 … within the document. */
  number: number
  /** Its name in the media store. Restored versions share it. */
  storedName: string
  /** As uploaded. */
  originalName: string
  bytes: number
  pages: number
  sha256: string
  /** An account id, or 'webmaster' for one that came with the starter content. */
  savedBy: string
  savedAt: number
}
