import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { inspectSettings, listPages, readAnnouncement } from '#server/features/content-store/content.queries.ts'
import {
  withSafeEventLinks,
  withSafeNewsLinks,
  withSafeAnnouncementLink,
  withSafePageLinks,
  withSafeSponsorLinks,
} from '#server/features/content-store/stored-links.rules.ts'
import { listEvents } from '#server/features/content-store/event.queries.ts'
import { listNews } from '#server/features/content-store/news.queries.ts'
import { listSponsors } from '#server/features/content-store/sponsor.queries.ts'
import { ART_DIRECTORY } from '#server/media-store/pictures/site-illustrations.ts'
import { queryInvariant, type Invariant } from './invariant.ts'

const REIMPORT = 'Correct it with "npm run admin -- content export" and "content import", which report the error'

const settingsFit: Invariant = {
  name: 'settings-fit',
  condition: 'Every setting exists and is valid.',
  remedy: `${REIMPORT}.`,
  async findViolations({ db }) {
    try {
      return (await inspectSettings(db)).problems
    } catch (error) {
      const { issues } = error as { issues?: { path: PropertyKey[] }[] }
      return issues?.map(({ path }) => path.join('.')) ?? ['setting']
    }
  },
}

const linksAreAddresses: Invariant = {
  name: 'links-are-addresses',
  condition: 'Every link and picture in the content is a page of this site or a web address.',
  remedy: 'Open the record in the console and correct the address. Until then it is not shown as a link.',
  async findViolations({ db }) {
    const listUnsafe = <T>(records: T[], sanitize: (record: T) => unknown, nameOf: (record: T) => string) =>
      records.filter((record) => !isDeepStrictEqual(sanitize(record), record)).map(nameOf)
    return [
      ...listUnsafe(await listEvents(db), withSafeEventLinks, ({ id }) => `event:${id}`),
      ...listUnsafe(await listNews(db), withSafeNewsLinks, ({ id }) => `news:${id}`),
      ...listUnsafe(await listSponsors(db), withSafeSponsorLinks, ({ id }) => `sponsor:${id}`),
      ...listUnsafe(await listPages(db), withSafePageLinks, ({ slug }) => `page:${slug}`),
      ...listUnsafe([await readAnnouncement(db)], withSafeAnnouncementLink, () => 'notice'),
    ]
  },
}

const JSON_COLUMNS: [table: string, key: string, columns: string[]][] = [
  ['page', 'slug', ['facts', 'items', 'more']],
  ['committee', 'id', ['members']],
  ['event', 'id', ['image_keys']],
  ['tier', 'key', ['benefits']],
  ['forum_member', 'id', ['bio']],
  ['outbox', 'id', ['payload']],
  ['audit', 'id', ['details']],
  ['membership_reminder', 'id', ['sent_values']],
  ['import_file', 'id', ['headings']],
  ['account_merge', 'id', ['changes']],
]
const BATCH_SIZE = 1_000

const jsonCanBeRead: Invariant = {
  name: 'json-can-be-read',
  condition: 'JSON columns contain valid JSON.',
  remedy: 'Restore that row from a backup, or rewrite it.',
  async findViolations({ db }) {
    const found: string[] = []
    for (const [table, key, columns] of JSON_COLUMNS) {
      for await (const row of iterateRows(db, { table, key, columns })) {
        if (columns.some((column) => !isJson(row[column] ?? null))) found.push(`${table}:${row[key]}`)
      }
    }
    return found
  },
}

/** Rows with the column names of the database. */
async function* iterateRows(db: Db, { table, key, columns }: { table: string; key: string; columns: string[] }) {
  const list = sql.join([key, ...columns].map((column) => sql.ref(column)))
  let after = ''
  for (;;) {
    const { rows } = await sql<Record<string, string | null>>`
      select ${list} from ${sql.table(table)} where ${sql.ref(key)} > ${after} order by ${sql.ref(key)} limit ${BATCH_SIZE}`.execute(
      db.withoutPlugins(),
    )
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last[key] ?? ''
  }
}

function isJson(text: string | null): boolean {
  try {
    if (text !== null) JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Covers names of built-in artwork and addresses below /art and /media; pictures elsewhere on the web are not checked. */
const picturesExist: Invariant = {
  name: 'pictures-exist',
  condition: 'Every picture used by events, news, pages, sponsors and newsletters exists.',
  remedy:
    'Choose another picture, or restore the missing one: "npm run admin -- media list" lists the stored ones, public/art the built-in ones.',
  async findViolations({ db, mediaDirectory }) {
    const { rows } = await sql<{ id: string; picture: string }>`
      select 'event:' || id as id, image_keys as picture from event union all
      select 'news:' || id as id, image_key as picture from news_item union all
      select 'sponsor:' || id as id, logo as picture from sponsor union all
      select 'page:' || slug as id, picture from page where picture is not null union all
      select 'campaign:' || id as id, picture from campaign where picture is not null`.execute(db)
    return rows
      .filter(({ picture }) => !picturesIn(picture).every((name) => pictureExists(name, mediaDirectory)))
      .map(({ id }) => id)
  },
}

function picturesIn(text: string): string[] {
  if (!/^["[]/.test(text)) return [text]
  try {
    return [JSON.parse(text) as string | string[]].flat()
  } catch {
    // Reported by `json-can-be-read`.
    return []
  }
}

function pictureExists(name: string, mediaDirectory: string | null): boolean {
  const stored = /^\/media\/(.+)$/.exec(name)?.[1]
  if (stored !== undefined) return mediaDirectory === null || existsSync(join(mediaDirectory, decodeURI(stored)))
  const print = /^\/art\/(.+)$/.exec(name)?.[1]
  if (print !== undefined) return existsSync(join(ART_DIRECTORY, print))
  return /[/:.]/.test(name) || existsSync(join(ART_DIRECTORY, `${name}.svg`))
}

export const contentInvariants: Invariant[] = [
  settingsFit,
  linksAreAddresses,
  jsonCanBeRead,
  picturesExist,
  queryInvariant(
    {
      name: 'content-has-version',
      condition: 'The content has a single version number, which increases with every change.',
      remedy: 'Run "npm run admin -- content import" with any folder of content.',
    },
    () => sql`select 'content_version' as id where (select count(*) from content_version where version > 0) <> 1`,
  ),
  queryInvariant(
    {
      name: 'pages-are-there',
      condition: 'The legally required pages, which forms link to, exist.',
      remedy: 'Start the site: it restores missing pages from content/pages.',
    },
    () => sql`select slug as id from (select 'terms-conditions' as slug union all select 'privacy-policy') needed
      where slug not in (select slug from page)`,
  ),
  queryInvariant(
    {
      name: 'event-ends-after-it-begins',
      condition: 'An event does not end before it begins.',
      remedy: `Write its date like "December 12-14, 2026". ${REIMPORT}.`,
    },
    () => sql`select id from event where ends_on < starts_on`,
  ),
]
