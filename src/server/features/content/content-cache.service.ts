import type {
  BodyKey,
  CommitteeList,
  FaqEntry,
  Figure,
  LeaderBody,
  Notice,
  PastPresident,
  WordsPage,
} from '#contract/association.ts'
import type { EventDetails } from '#contract/events.ts'
import type { ForumMember } from '#contract/forum.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import type { NewsArticle } from '#contract/news.ts'
import type { CampaignPage } from '#contract/campaigns.ts'
import type { Sponsor } from '#contract/sponsors.ts'
import { dayOf } from '#contract/dates.ts'
import { writeWhen } from '#contract/event-when.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import { listLevelsOnSale, toPublicLevel } from '../membership/level.repository.ts'
import { listEvents } from '../events/event.repository.ts'
import { withRsvp } from '../events/event-offers.ts'
import { listOffers } from '../events/offer.repository.ts'
import { isoTimes } from '../events/event-times.rules.ts'
import { readArchiveStart } from '../newsletter/archive.service.ts'
import { listDescriptions } from '../media/picture-description.repository.ts'
import { listedPeople, type ListedPerson, type PictureDescription } from '../media/picture-descriptions.rules.ts'
import { listNews } from '../news/news.repository.ts'
import { listSponsors, listTiers, type Tier } from '../sponsors/sponsor.repository.ts'
import { findNotice, listFaq, listFigures, listPages, readContentVersion, readSettings } from './content.repository.ts'
import { listForumMembers } from './forum.repository.ts'
import { findCommittees, findLeaderBody, listPastPresidents } from './offices.repository.ts'
import { renderMarkdown } from './markdown.ts'
import type { Settings } from './settings.ts'
import { harmlessEvent, harmlessNewsItem, harmlessNotice, harmlessPage, harmlessSponsor } from './stored-links.rules.ts'

interface Content {
  version: number
  /** The day the notice was chosen for. */
  day: string
  settings: Settings
  levels: MembershipLevel[]
  notice: Notice | null
  figures: Figure[]
  pages: Map<string, WordsPage>
  bodies: Map<BodyKey, LeaderBody>
  committees: CommitteeList | null
  pastPresidents: PastPresident[]
  faq: FaqEntry[]
  events: Map<string, EventDetails>
  news: Map<string, NewsArticle>
  sponsors: Sponsor[]
  tiers: Tier[]
  forumTeam: ForumMember[]
  /** What officers said of pictures, by `bucket/folder/filename`. */
  pictures: Map<string, PictureDescription>
  /** Who may have a portrait. */
  people: ListedPerson[]
  /** The newest newsletters, and the years there are some of. */
  archive: { firstPage: CampaignPage; years: number[]; archiveAfter: string }
  /** The addresses of events and articles. */
  paths: ReadonlySet<string>
}

const BODIES: readonly BodyKey[] = ['executive-committee', 'board-directors', 'board-trustees']

/** The words of the site, held in memory and read again when their version rises: pages go on while the database is away. */
export interface ContentCache {
  content(): Content
  version(): string
  /** The association's day. */
  today(): string
  /** Looks for a newer version now. */
  refresh(): Promise<void>
  stop(): void
}

// An officer's change is on every instance within a second.
const LOOK_EVERY_MS = 500

/** Reads the content once before it resolves. */
export async function createContentCache({
  db,
  clock,
  log,
  timeZone,
  siteUrl,
  polling = true,
}: {
  db: Db
  clock: Clock
  log: Log
  timeZone: string
  siteUrl: string
  polling?: boolean
}): Promise<ContentCache> {
  const today = () => dayOf(clock.now(), timeZone)
  let content = await load()
  let isAway = false
  reportUnreadableDates()

  async function load(): Promise<Content> {
    const version = await readContentVersion(db)
    const day = today()
    const [settings, levels, notice, figures, pages, bodies, committees, pastPresidents, faq, ...more] =
      await Promise.all([
        readSettings(db),
        listLevelsOnSale(db),
        findNotice(db, day),
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
        listOffers(db),
        listDescriptions(db),
      ])
    const [events, news, sponsors, tiers, forumTeam, offers, pictures] = more
    const shownBodies = new Map(bodies.flatMap((body) => (body ? [[body.key, body]] : [])))
    return {
      version,
      day,
      settings,
      levels: levels.map(toPublicLevel),
      notice: harmlessNotice(notice),
      figures,
      pages: new Map(
        pages
          .map(harmlessPage)
          .map(({ markdown, ...page }) => [page.slug, { ...page, html: renderMarkdown(markdown) }]),
      ),
      bodies: shownBodies,
      committees,
      pastPresidents,
      events: new Map(
        events.map(harmlessEvent).map(({ body, ...event }) => [
          event.id,
          {
            ...withRsvp(event, offers),
            ...writeWhen(event),
            ...isoTimes(event, timeZone),
            html: renderMarkdown(body),
          },
        ]),
      ),
      news: new Map(
        news
          .map(harmlessNewsItem)
          .map(({ content: words, ...item }) => [item.id, { ...item, html: renderMarkdown(words) }]),
      ),
      sponsors: sponsors.map(harmlessSponsor),
      tiers,
      forumTeam,
      pictures,
      people: listedPeople({ bodies: shownBodies, forumTeam }),
      archive: await readArchiveStart(db, { siteUrl, timeZone, ...settings.newsletter }),
      paths: new Set([...events.map(({ id }) => `/events/${id}`), ...news.map(({ id }) => `/news/${id}`)]),
      faq: faq.map(({ question, answer }) => ({ question, answer: renderMarkdown(answer) })),
    }
  }

  /** Once a version: such an event stands among the past ones until an officer writes its date differently (docs/product-rules.md#event-dates). */
  function reportUnreadableDates(): void {
    for (const { id, date, startsOn } of content.events.values()) {
      if (startsOn === null) log.warn({ event: id, date }, 'the date of an event cannot be read: it is shown as past')
    }
  }

  async function refresh(): Promise<void> {
    try {
      const { version, day } = content
      if ((await readContentVersion(db)) !== version || today() !== day) content = await load()
      if (content.version !== version) reportUnreadableDates()
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ reason: String((error as Error).message) }, 'content could not be read again')
      isAway = true
    }
  }

  const timer = polling ? setInterval(() => void refresh(), LOOK_EVERY_MS) : null
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
