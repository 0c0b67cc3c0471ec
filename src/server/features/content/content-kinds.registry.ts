import type * as z from 'zod/mini'
import type { Db } from '#server/db/database.ts'
import { listEvents, replaceEvents } from '../events/event.repository.ts'
import { listNews, replaceNews } from '../news/news.repository.ts'
import { listSponsors, listTiers, replaceSponsors, replaceTiers } from '../sponsors/sponsor.repository.ts'
import {
  committeesSchema,
  eventsSchema,
  faqSchema,
  figuresSchema,
  forumTeamSchema,
  leadersSchema,
  levelsSchema,
  newsSchema,
  noticeSchema,
  pastPresidentsSchema,
  sponsorsSchema,
  tiersSchema,
} from './content-schemas.ts'
import {
  listFaq,
  listFigures,
  readLevels,
  readNotice,
  readSettings,
  replaceFaq,
  replaceFigures,
  replaceLevels,
  replaceNotice,
  replaceSettings,
} from './content.repository.ts'
import { listForumMembers, replaceForumMembers } from './forum.repository.ts'
import {
  findCommittees,
  listPastPresidents,
  readLeaders,
  replaceCommittees,
  replaceLeaders,
  replacePastPresidents,
} from './offices.repository.ts'
import { eventFile, newsFile, storedEvent, storedNewsItem } from './sample-days.rules.ts'
import { settingsSchema } from './settings.ts'

export interface ContentMoment {
  /** The association's day, which distances such as `in: 40 days` are counted from. */
  today: string
  newId(): string
}

/** One file of content: how it is checked, and how its rows are read and replaced. */
export interface ContentKind<S extends z.core.$ZodType = z.core.$ZodType> {
  file: string
  schema: S
  /** In the shape of the file; null when there is nothing to write. */
  read(db: Db): Promise<z.core.output<S> | null>
  /** Call with `raiseContentVersion` in one transaction. */
  replace(db: Db, value: z.core.output<S>, moment: ContentMoment): Promise<void>
}

function kind<S extends z.core.$ZodType>(definition: ContentKind<S>): ContentKind<S> {
  return definition
}

/** The words and facts of the site. */
export const wordKinds = {
  settings: kind({ file: 'settings.yaml', schema: settingsSchema, read: readSettings, replace: replaceSettings }),
  levels: kind({
    file: 'levels.yaml',
    schema: levelsSchema,
    read: readLevels,
    replace: (db, levels, { newId }) => replaceLevels(db, levels, newId),
  }),
  notice: kind({
    file: 'notice.yaml',
    schema: noticeSchema,
    read: readNotice,
    replace: (db, notice, { newId }) => replaceNotice(db, notice, newId),
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

/** People, what they do and who supports them: invented ones in `content/samples`. */
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
    read: async (db) => (await listEvents(db)).map(eventFile),
    replace: (db, events, { today }) =>
      replaceEvents(
        db,
        events.map((event) => storedEvent(event, today)),
      ),
  }),
  news: kind({
    file: 'news.yaml',
    schema: newsSchema,
    read: async (db) => (await listNews(db)).map(newsFile),
    replace: (db, items, { today }) =>
      replaceNews(
        db,
        items.map((item) => storedNewsItem(item, today)),
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
  ...Object.values(wordKinds),
  ...Object.values(peopleKinds),
] as readonly ContentKind[]
