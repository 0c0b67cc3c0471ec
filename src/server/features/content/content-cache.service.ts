import type { AppContext } from '#server/app-context.ts'
import type {
  BodyKey,
  CommitteeList,
  FaqEntry,
  Figure,
  LeadershipGroup,
  Announcement,
  PastPresident,
  TextPage,
} from '#contract/public/association.ts'
import type { EventDetails } from '#contract/public/events.ts'
import type { ForumMember } from '#contract/public/forum.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import type { NewsArticle } from '#contract/public/news.ts'
import type { CampaignPage } from '#contract/public/campaigns.ts'
import type { Sponsor } from '#contract/public/sponsors.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { formatEventTimes } from '#contract/dates/event-when.ts'
import { listLevelsOnSale, toPublicLevel } from '#server/features/levels/level.queries.ts'
import { listEvents } from '#server/features/content-store/event.queries.ts'
import { withRsvpState } from '#server/features/rsvps/event-rsvp.service.ts'
import { listRsvpSettings } from '#server/features/rsvps/rsvp-settings.queries.ts'
import { isoTimes } from '#server/features/content-store/event-times.rules.ts'
import { readArchiveStart } from '#server/features/newsletter/archive.service.ts'
import { listDescriptions } from '#server/features/media/picture-description.queries.ts'
import {
  listPeople,
  type ListedPerson,
  type PictureDescription,
} from '#server/features/media/picture-descriptions.rules.ts'
import { listNews } from '#server/features/content-store/news.queries.ts'
import { listSponsors, listTiers, type Tier } from '#server/features/content-store/sponsor.queries.ts'
import {
  findCurrentAnnouncement,
  listFaq,
  listFigures,
  listPages,
  readContentVersion,
  readSettings,
} from '#server/features/content-store/content.queries.ts'
import { listForumMembers } from '#server/features/content-store/forum.queries.ts'
import { findCommittees, findLeaderBody, listPastPresidents } from '#server/features/content-store/offices.queries.ts'
import { renderMarkdown } from '#server/features/content-store/markdown.rules.ts'
import type { Settings } from '#server/features/content-store/settings.schema.ts'
import {
  withSafeEventLinks,
  withSafeNewsLinks,
  withSafeAnnouncementLink,
  withSafePageLinks,
  withSafeSponsorLinks,
} from '#server/features/content-store/stored-links.rules.ts'

interface Content {
  version: number
  /** The day for which the announcement was selected. */
  today: string
  settings: Settings
  levels: MembershipLevel[]
  announcement: Announcement | null
  figures: Figure[]
  pages: Map<string, TextPage>
  bodies: Map<BodyKey, LeadershipGroup>
  committees: CommitteeList | null
  pastPresidents: PastPresident[]
  faq: FaqEntry[]
  events: Map<string, EventDetails>
  news: Map<string, NewsArticle>
  sponsors: Sponsor[]
  tiers: Tier[]
  forumTeam: ForumMember[]
  /** Alt texts and credits of images, by `bucket/folder/filename`. */
  pictures: Map<string, PictureDescription>
  /** People who may have a portrait. */
  people: ListedPerson[]
  /** The first page of newsletters, and the years that have any. */
  archive: { firstPage: CampaignPage; years: number[]; archiveAfter: string }
  /** The paths of events and articles. */
  paths: ReadonlySet<string>
}

const BODIES: readonly BodyKey[] = ['executive-committee', 'board-directors', 'board-trustees']

/** The site's content in memory, reloaded when its version changes. Pages keep working while the database is down. */
export interface ContentCache {
  content(): Content
  version(): string
  /** Today in the association's time zone, `YYYY-MM-DD`. */
  today(): string
  /** Checks for a newer version now. */
  refresh(): Promise<void>
  stop(): void
}

// Every instance shows an officer's change within a second.
const POLL_MS = 500

/** Resolves once the content is loaded. */
export async function createContentCache({
  db,
  clock,
  log,
  timeZone,
  siteUrl,
  polling = true,
}: Pick<AppContext, 'db' | 'clock' | 'log' | 'timeZone' | 'siteUrl'> & { polling?: boolean }): Promise<ContentCache> {
  const today = () => dayOf(clock.now(), timeZone)
  let content = await load()
  let isDatabaseDown = false
  reportUnreadableDates()

  async function load(): Promise<Content> {
    const version = await readContentVersion(db)
    const day = today()
    const [settings, levels, announcement, figures, pages, bodies, committees, pastPresidents, faq, ...more] =
      await Promise.all([
        readSettings(db),
        listLevelsOnSale(db),
        findCurrentAnnouncement(db, day),
        listFigures(db),
        listPages(db),
        Promise.all(BODIES.map((key) => findLeaderBody(db, key))),
        findCommittees(db),
        listPastPresidents(db),
        listFaq(db),
        listEvents(db),
        listNews(db),
        listSponsors(db),
        listTiers(db),
        listForumMembers(db),
        listRsvpSettings(db),
        listDescriptions(db),
      ])
    const [events, news, sponsors, tiers, forumTeam, rsvpSettings, pictures] = more
    const shownBodies = new Map(bodies.flatMap((body) => (body ? [[body.key, body]] : [])))
    return {
      version,
      today: day,
      settings,
      levels: levels.map(toPublicLevel),
      announcement: withSafeAnnouncementLink(announcement),
      figures,
      pages: new Map(
        pages
          .map(withSafePageLinks)
          .map(({ markdown, ...page }) => [page.slug, { ...page, html: renderMarkdown(markdown) }]),
      ),
      bodies: shownBodies,
      committees,
      pastPresidents,
      events: new Map(
        events.map(withSafeEventLinks).map(({ body, ...event }) => [
          event.id,
          {
            ...withRsvpState(event, rsvpSettings),
            ...formatEventTimes(event),
            ...isoTimes(event, timeZone),
            html: renderMarkdown(body),
          },
        ]),
      ),
      news: new Map(
        news
          .map(withSafeNewsLinks)
          .map(({ content: markdown, ...item }) => [item.id, { ...item, html: renderMarkdown(markdown) }]),
      ),
      sponsors: sponsors.map(withSafeSponsorLinks),
      tiers,
      forumTeam,
      pictures,
      people: listPeople({ bodies: shownBodies, forumTeam }),
      archive: await readArchiveStart(db, { siteUrl, timeZone, ...settings.newsletter }),
      paths: new Set([...events.map(({ id }) => `/events/${id}`), ...news.map(({ id }) => `/news/${id}`)]),
      faq: faq.map(({ question, answer }) => ({ question, answer: renderMarkdown(answer) })),
    }
  }

  /** Logs once per content version. Such an event is listed as past until an officer corrects its date (docs/product-rules.md#event-dates). */
  function reportUnreadableDates(): void {
    for (const { id, date, startsOn } of content.events.values()) {
      if (startsOn === null) log.warn({ event: id, date }, 'the date of an event cannot be read: it is shown as past')
    }
  }

  async function refresh(): Promise<void> {
    try {
      const { version, today: day } = content
      if ((await readContentVersion(db)) !== version || today() !== day) content = await load()
      if (content.version !== version) reportUnreadableDates()
      isDatabaseDown = false
    } catch (error) {
      if (!isDatabaseDown) log.warn({ reason: String((error as Error).message) }, 'reloading content failed')
      isDatabaseDown = true
    }
  }

  const timer = polling ? setInterval(() => void refresh(), POLL_MS) : null
  timer?.unref()
  return {
    content: () => content,
    version: () => String(content.version),
    today,
    refresh,
    stop() {
      if (timer) clearInterval(timer)
    },
  }
}
