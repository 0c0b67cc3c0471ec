/** Revisions that officers saved in the console. The public content is in the tables of `content-schema.ts`. */

/** One saved version of a record. Immutable except for `is_newest`. */
export interface ContentRevisionTable {
  id: string
  kind: string
  recordId: string
  /** 1, 2, 3 … within the record. */
  number: number
  /** `found`: the content before its first change in the console, or after an import. */
  action: 'found' | 'draft' | 'scheduled' | 'published' | 'deleted'
  /** JSON, in the format of the content file. */
  value: string
  /** An account id, or 'webmaster'. */
  savedBy: string
  savedAt: number
  /** Set for `scheduled`. */
  publishAt: number | null
  isNewest: number
  /** Why a scheduled revision was not published, as a sentence; null unless it was held. */
  held: string | null
}

/** The text alternative of a stored picture. */
export interface PictureDescriptionTable {
  bucket: string
  folder: string
  filename: string
  alt: string
  /** Shown below the picture; null when none was entered. */
  caption: string | null
  /** The pictured person: `leaders` or `forum`, and the name as listed there. */
  personList: string | null
  personName: string | null
}
