/** What officers wrote in the console, version by version. What is public stands in the tables of `content-schema.ts`. */

/** One saved version of one record. Never changed but for `is_newest`. */
export interface ContentRevisionTable {
  id: string
  kind: string
  record_id: string
  /** 1, 2, 3 … within the record. */
  number: number
  /** `found`: what the site said before the console first changed it, or after an import. */
  action: 'found' | 'draft' | 'scheduled' | 'published' | 'deleted'
  /** JSON, in the shape of the content file. */
  value: string
  /** An account's id, or 'webmaster'. */
  saved_by: string
  saved_at: number
  /** For `scheduled`. */
  publish_at: number | null
  is_newest: number
  /** Why it did not appear at its hour, in a sentence; null unless it was scheduled and then held. */
  held: string | null
}

/** What a picture of the store shows, for who cannot see it. */
export interface PictureDescriptionTable {
  bucket: string
  folder: string
  filename: string
  alt: string
  /** Shown under it; null where nobody has said. */
  caption: string | null
  /** Whose portrait it is: `leaders` or `forum`, and the name as it is listed there. */
  person_list: string | null
  person_name: string | null
}
