import type {
  ImportItem,
  ImportKind,
  ImportSource,
  ItemResult,
  ItemVerdict,
} from '#contract/console/website/content-import.ts'
import type { JsonText } from './column-values.ts'

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

/** An import of posts, pages and events of a former website. */
export interface ContentImportTable {
  id: string
  source: ImportSource
  filename: string
  /** The address of the former website; empty for a calendar. */
  site: string
  /** Account id of the officer who chose the file. */
  officerId: string
  leftOut: JsonText<{ what: string; count: number }[]>
  /** How many different pictures its texts have. */
  pictures: number
  /** `reading`: rows are being stored. */
  state: 'reading' | 'checked' | 'running' | 'done'
  takesDrafts: number
  publishes: number
  /** The lists of redirects that it made, with their versions. */
  redirects: JsonText<{ id: string; version: string; count: number }[]>
  createdAt: number
  confirmedAt: number | null
  confirmedBy: string | null
  finishedAt: number | null
  undoBegunAt: number | null
  undoneAt: number | null
  undoneBy: string | null
}

export interface ContentImportRowTable {
  importId: string
  /** 1, 2, 3 … in the order of the file. */
  line: number
  kind: ImportKind
  /** Its URL on the former website, or the UID of an event. */
  address: string
  title: string
  date: string
  verdict: ItemVerdict
  /** As redirects have them; those of an event are none. */
  oldPaths: JsonText<string[]>
  notes: JsonText<string[]>
  /** What was found; null once it is imported. */
  item: JsonText<ImportItem> | null
  /** The record that it becomes; null until the import is confirmed, and for rows that are not imported. */
  recordId: string | null
  /** The version that the import saved: the record has another one once someone changed it. */
  version: string | null
  result: ItemResult | null
}

/** A picture of the former website, fetched once. */
export interface ContentImportPictureTable {
  importId: string
  url: string
  /** In the folder of articles; null if an earlier import stored the picture, or none could. */
  filename: string | null
  /** Its address on this site; null if it could not be stored. */
  address: string | null
  alt: string
  /** Of the fetched file; 0 if there is none. */
  bytes: number
  /** Why it could not be stored, as a sentence. */
  reason: string | null
}

export interface ContentImportTables {
  contentImport: ContentImportTable
  contentImportRow: ContentImportRowTable
  contentImportPicture: ContentImportPictureTable
}
