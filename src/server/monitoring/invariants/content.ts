import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod/mini'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { ContentKind } from '#server/features/content-store/content-kind.rules.ts'
import { inspectSettings, listRecords } from '#server/features/content-store/content.queries.ts'
import {
  withSafeEventLinks,
  withSafeNewsLinks,
  withSafeAnnouncementLink,
  withSafePageLinks,
  withSafePortrait,
  withSafeSponsorLinks,
} from '#server/features/content-store/stored-links.rules.ts'
import { eventKind, newsKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { committeeKind, leaderKind } from '#server/features/content-store/kinds/people.kinds.ts'
import { sponsorKind } from '#server/features/content-store/kinds/support.kinds.ts'
import { announcementKind, pageKind } from '#server/features/content-store/kinds/text.kinds.ts'
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
    const listUnsafe = <T>(values: T[], sanitize: (value: T) => unknown, nameOf: (value: T) => string) =>
      values.filter((value) => !isDeepStrictEqual(sanitize(value), value)).map(nameOf)
    const valuesOf = <S extends z.core.$ZodType>(kind: ContentKind<S>) =>
      listRecords(db, kind).then((records) => records.map(({ value }) => value))
    const sponsors = (await valuesOf(sponsorKind)).flatMap((value) => value.sponsors)
    const pages = await listRecords(db, pageKind)
    return [
      ...listUnsafe(await valuesOf(eventKind), withSafeEventLinks, ({ id }) => `event:${id}`),
      ...listUnsafe(await valuesOf(newsKind), withSafeNewsLinks, ({ id }) => `news:${id}`),
      ...listUnsafe(sponsors, withSafeSponsorLinks, ({ id }) => `sponsor:${id}`),
      ...pages.flatMap(({ id, value }) => listUnsafe([value], withSafePageLinks, () => `page:${id}`)),
      ...listUnsafe(
        (await valuesOf(leaderKind)).flatMap(({ members }) => members),
        withSafePortrait,
        ({ name }) => `leader:${name}`,
      ),
      ...listUnsafe(
        (await valuesOf(committeeKind)).flatMap(({ committees }) => committees),
        withSafePortrait,
        ({ id }) => `committee:${id}`,
      ),
      ...listUnsafe(await valuesOf(announcementKind), withSafeAnnouncementLink, () => 'notice'),
    ]
  },
}

const JSON_COLUMNS: [table: string, key: string, columns: string[]][] = [
  ['content_revision', 'id', ['value']],
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
    const records = await db.selectFrom('contentRecord').select(['kind', 'id', 'value']).execute()
    const found = records.filter(({ value }) => !isJson(value)).map(({ kind, id }) => `content_record:${kind}/${id}`)
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
  condition: 'Every picture used by events, news, people, pages, sponsors and newsletters exists.',
  remedy:
    'Choose another picture, or restore the missing one: "npm run admin -- media list" lists the stored ones, public/art the built-in ones.',
  async findViolations({ db, mediaDirectory }) {
    const campaigns = await db
      .selectFrom('campaign')
      .select(['id', 'picture'])
      .where('picture', 'is not', null)
      .execute()
    const uses: [id: string, pictures: string[]][] = [
      ...(await listRecords(db, eventKind)).map(({ id, value }) => use(`event:${id}`, value.imageKey)),
      ...(await listRecords(db, newsKind)).map(({ id, value }) => use(`news:${id}`, value.imageKey)),
      ...(await listRecords(db, sponsorKind)).flatMap(({ value }) =>
        value.sponsors.map(({ id, logo }) => use(`sponsor:${id}`, logo)),
      ),
      ...(await listRecords(db, pageKind)).map(({ id, value }) =>
        use(`page:${id}`, [value.picture, ...(value.timeline ?? []).map(({ picture }) => picture)].filter(isPresent)),
      ),
      ...(await listRecords(db, leaderKind)).map(({ id, value }) =>
        use(`leaders:${id}`, value.members.map(({ portrait }) => portrait).filter(isPresent)),
      ),
      ...(await listRecords(db, committeeKind)).map(({ value }) =>
        use('committees', value.committees.map(({ portrait }) => portrait).filter(isPresent)),
      ),
      ...campaigns.map(({ id, picture }) => use(`campaign:${id}`, picture ?? [])),
    ]
    return uses
      .filter(([, pictures]) => !pictures.every((name) => pictureExists(name, mediaDirectory)))
      .map(([id]) => id)
  },
}

function isPresent(picture: string | undefined): picture is string {
  return picture !== undefined
}

function use(id: string, pictures: string | string[]): [id: string, pictures: string[]] {
  return [id, [pictures].flat()]
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
      remedy: 'Start the site: it restores missing pages from the profile that filled the database.',
    },
    () => sql`select slug as id from (select 'terms-conditions' as slug union all select 'privacy-policy') needed
      where slug not in (select id from content_record where kind = 'pages')`,
  ),
]
