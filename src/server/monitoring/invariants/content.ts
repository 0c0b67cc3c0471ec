import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { inspectSettings, listPages, readNotice } from '#server/features/association/content.repository.ts'
import {
  harmlessEvent,
  harmlessNewsItem,
  harmlessNotice,
  harmlessPage,
  harmlessSponsor,
} from '#server/features/association/stored-links.rules.ts'
import { listEvents } from '#server/features/events/event.repository.ts'
import { listNews } from '#server/features/news/news.repository.ts'
import { listSponsors } from '#server/features/sponsors/sponsor.repository.ts'
import { ART_DIRECTORY } from '#server/media/site-drawings.ts'
import { asked, type Invariant } from './invariant.ts'

const EXCHANGE = 'Correct it with "npm run admin -- content export" and "content import", which name the mistake'

const settingsFit: Invariant = {
  name: 'settings-fit',
  sentence: 'Every setting is there and of the form the site expects.',
  cure: `${EXCHANGE}.`,
  async find({ db }) {
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
  sentence: 'Every link and picture that content names is a page of this site or a web address.',
  cure: 'Open the record in the console and correct the address. Until then it is not shown as a link.',
  async find({ db }) {
    const unlike = <T>(records: T[], harmless: (record: T) => unknown, nameOf: (record: T) => string) =>
      records.filter((record) => !isDeepStrictEqual(harmless(record), record)).map(nameOf)
    return [
      ...unlike(await listEvents(db), harmlessEvent, ({ id }) => `event:${id}`),
      ...unlike(await listNews(db), harmlessNewsItem, ({ id }) => `news:${id}`),
      ...unlike(await listSponsors(db), harmlessSponsor, ({ id }) => `sponsor:${id}`),
      ...unlike(await listPages(db), harmlessPage, ({ slug }) => `page:${slug}`),
      ...unlike([await readNotice(db)], harmlessNotice, () => 'notice'),
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
  ['membership_notice', 'id', ['told']],
  ['import_file', 'id', ['headings']],
  ['account_merge', 'id', ['changes']],
]
const AT_ONCE = 1_000

const jsonCanBeRead: Invariant = {
  name: 'json-can-be-read',
  sentence: 'What is stored as JSON is JSON.',
  cure: 'Restore that row from a backup, or write it anew.',
  async find({ db }) {
    const found: string[] = []
    for (const [table, key, columns] of JSON_COLUMNS) {
      for await (const row of rowsOf(db, { table, key, columns })) {
        if (columns.some((column) => !isJson(row[column] ?? null))) found.push(`${table}:${row[key]}`)
      }
    }
    return found
  },
}

async function* rowsOf(db: Db, { table, key, columns }: { table: string; key: string; columns: string[] }) {
  const list = sql.join([key, ...columns].map((column) => sql.ref(column)))
  let after = ''
  for (;;) {
    const { rows } = await sql<Record<string, string | null>>`
      select ${list} from ${sql.table(table)} where ${sql.ref(key)} > ${after} order by ${sql.ref(key)} limit ${AT_ONCE}`.execute(
      db,
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

/** Names of prints, and addresses below /art and /media; what lies elsewhere on the web is not asked for. */
const picturesExist: Invariant = {
  name: 'pictures-exist',
  sentence: 'Every picture that events, news, pages, sponsors and newsletters name is there.',
  cure: 'Name another picture, or bring it back: "npm run admin -- media list" shows the stored ones, public/art the prints.',
  async find({ db, mediaDirectory }) {
    const { rows } = await sql<{ id: string; picture: string }>`
      select 'event:' || id as id, image_keys as picture from event union all
      select 'news:' || id as id, image_key as picture from news_item union all
      select 'sponsor:' || id as id, logo as picture from sponsor union all
      select 'page:' || slug as id, picture from page where picture is not null union all
      select 'campaign:' || id as id, picture from campaign where picture is not null`.execute(db)
    return rows
      .filter(({ picture }) => !picturesIn(picture).every((name) => exists(name, mediaDirectory)))
      .map(({ id }) => id)
  },
}

function picturesIn(text: string): string[] {
  if (!/^["[]/.test(text)) return [text]
  try {
    return [JSON.parse(text) as string | string[]].flat()
  } catch {
    // Told by `json-can-be-read`.
    return []
  }
}

function exists(name: string, mediaDirectory: string | null): boolean {
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
  asked(
    {
      name: 'content-has-version',
      sentence: 'The content has one version, which rises with every change.',
      cure: 'Run "npm run admin -- content import" with any folder of content.',
    },
    () => sql`select 'content_version' as id where (select count(*) from content_version where version > 0) <> 1`,
  ),
  asked(
    {
      name: 'pages-are-there',
      sentence: 'The pages that the law and the forms refer to are there.',
      cure: 'Start the site: it brings back from content/pages what is missing.',
    },
    () => sql`select slug as id from (select 'terms-conditions' as slug union all select 'privacy-policy') needed
      where slug not in (select slug from page)`,
  ),
  asked(
    {
      name: 'event-ends-after-it-begins',
      sentence: 'An event does not end before it begins.',
      cure: `Write its date like "December 12-14, 2026". ${EXCHANGE}.`,
    },
    () => sql`select id from event where ends_on < starts_on`,
  ),
]
