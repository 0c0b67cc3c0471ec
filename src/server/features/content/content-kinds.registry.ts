import type * as z from 'zod/mini'
import type { Db } from '#server/db/database.ts'
import { listEvents } from '#server/features/content-store/event.queries.ts'
import { replaceEvents } from '#server/features/content-store/event.commands.ts'
import { listNews } from '#server/features/content-store/news.queries.ts'
import { replaceNews } from '#server/features/content-store/news.commands.ts'
import { listSponsors, listTiers } from '#server/features/content-store/sponsor.queries.ts'
import { replaceSponsors, replaceTiers } from '#server/features/content-store/sponsor.commands.ts'
import {
  committeesSchema,
  eventsSchema,
  faqSchema,
  figuresSchema,
  forumTeamSchema,
  leadersSchema,
  levelsSchema,
  newsSchema,
  announcementSchema,
  pastPresidentsSchema,
  sponsorsSchema,
  tiersSchema,
} from '#server/features/content-store/content.schema.ts'
import {
  listFaq,
  listFigures,
  readLevels,
  readAnnouncement,
  readSettings,
} from '#server/features/content-store/content.queries.ts'
import {
  replaceFaq,
  replaceFigures,
  replaceLevels,
  replaceAnnouncement,
  replaceSettings,
} from '#server/features/content-store/content.commands.ts'
import { listForumMembers } from '#server/features/content-store/forum.queries.ts'
import { replaceForumMembers } from '#server/features/content-store/forum.commands.ts'
import { findCommittees, listPastPresidents, readLeaders } from '#server/features/content-store/offices.queries.ts'
import {
  replaceCommittees,
  replaceLeaders,
  replacePastPresidents,
} from '#server/features/content-store/offices.commands.ts'
import { eventToFile, newsItemToFile, eventFromFile, newsItemFromFile } from './content-dates.rules.ts'
import { settingsSchema } from '#server/features/content-store/settings.schema.ts'

export interface ContentWriteContext {
  /** Today in the association's time zone; relative dates such as `in: 40 days` count from it. */
  today: string
  newId(): string
}

/** A content file: its schema, and how its rows are read and replaced. */
export interface ContentKind<S extends z.core.$ZodType = z.core.$ZodType> {
  file: string
  schema: S
  /** Returns the value in the format of the file; null if there is nothing to export. */
  read(db: Db): Promise<z.core.output<S> | null>
  /** Call in one transaction with `incrementContentVersion`. */
  replace(db: Db, value: z.core.output<S>, moment: ContentWriteContext): Promise<void>
}

function kind<S extends z.core.$ZodType>(definition: ContentKind<S>): ContentKind<S> {
  return definition
}

/** The texts and settings of the site. */
export const textKinds = {
  settings: kind({ file: 'settings.yaml', schema: settingsSchema, read: readSettings, replace: replaceSettings }),
  levels: kind({
    file: 'levels.yaml',
    schema: levelsSchema,
    read: readLevels,
    replace: (db, levels, { newId }) => replaceLevels(db, levels, newId),
  }),
  notice: kind({
    file: 'notice.yaml',
    schema: announcementSchema,
    read: readAnnouncement,
    replace: (db, announcement, { newId }) => replaceAnnouncement(db, announcement, newId),
  }),
  figures: kind({
    file: 'figures.yaml',
    schema: figuresSchema,
    read: listFigures,
    replace: (db, figures, { newId }) => replaceFigures(db, figures, newId),
  }),
  faq: kind({
    file: 'faq.yaml',
    schema: faqSchema,
    read: listFaq,
    replace: (db, faq, { newId }) => replaceFaq(db, faq, newId),
  }),
  tiers: kind({ file: 'tiers.yaml', schema: tiersSchema, read: listTiers, replace: replaceTiers }),
}

/** People, events, news and sponsors; `content/samples` has sample data for them. */
export const peopleKinds = {
  leaders: kind({
    file: 'leaders.yaml',
    schema: leadersSchema,
    read: readLeaders,
    replace: (db, bodies, { newId }) => replaceLeaders(db, bodies, newId),
  }),
  committees: kind({
    file: 'committees.yaml',
    schema: committeesSchema,
    read: findCommittees,
    replace: replaceCommittees,
  }),
  pastPresidents: kind({
    file: 'past-presidents.yaml',
    schema: pastPresidentsSchema,
    read: listPastPresidents,
    replace: replacePastPresidents,
  }),
  events: kind({
    file: 'events.yaml',
    schema: eventsSchema,
    read: async (db) => (await listEvents(db)).map(eventToFile),
    replace: (db, events, { today }) =>
      replaceEvents(
        db,
        events.map((event) => eventFromFile(event, today)),
      ),
  }),
  news: kind({
    file: 'news.yaml',
    schema: newsSchema,
    read: async (db) => (await listNews(db)).map(newsItemToFile),
    replace: (db, items, { today }) =>
      replaceNews(
        db,
        items.map((item) => newsItemFromFile(item, today)),
      ),
  }),
  sponsors: kind({ file: 'sponsors.yaml', schema: sponsorsSchema, read: listSponsors, replace: replaceSponsors }),
  forumTeam: kind({
    file: 'forum-team.yaml',
    schema: forumTeamSchema,
    read: listForumMembers,
    replace: replaceForumMembers,
  }),
}

export const contentKinds: readonly ContentKind[] = [
  ...Object.values(textKinds),
  ...Object.values(peopleKinds),
] as readonly ContentKind[]
