/** Content: seeded from `content/` and edited by officers. */

/** What the site shows. */
export interface ContentRecordTable {
  kind: string
  id: string
  /** JSON, valid for the schema of its kind when it was written (`content-kinds.registry.ts`). */
  value: string
  /** The number of the revision that published the value; null after seeding and an import. */
  revision: number | null
  updatedAt: number
}

export interface ContentVersionTable {
  id: 1
  version: number
  /** Hash of the files of `content/` last checked for new content; null before the first check. */
  shipped: string | null
  /** The profile that filled the database (`seed/profiles.ts`); null if that was before profiles. */
  profile: string | null
}

/** One version of a record that an officer saved. Immutable except for `isNewest`. */
export interface ContentRevisionTable {
  id: string
  kind: string
  recordId: string
  /** 1, 2, 3 … within the record. */
  number: number
  /** `found`: the content before its first change in the console, or after an import. */
  action: 'found' | 'draft' | 'scheduled' | 'published' | 'deleted'
  /** JSON, as in the record. */
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
  /** The name in the library; null for the file name. */
  name: string | null
  /** The place in its folder, from 0; null for a picture that comes after those with one. */
  position: number | null
}
