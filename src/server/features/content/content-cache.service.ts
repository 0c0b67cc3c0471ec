import type { AppContext } from '#server/app-context.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import type { CampaignPage } from '#contract/public/campaigns.ts'
import { isOff } from '#contract/parts.ts'
import { setRegion } from '#contract/region.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { listLevelsOnSale, toPublicLevel } from '#server/features/levels/level.queries.ts'
import { listRsvpSettings } from '#server/features/rsvps/rsvp-settings.queries.ts'
import { readArchiveStart } from '#server/features/newsletter/archive.service.ts'
import { listServedDocuments, type ServedDocument } from '#server/features/documents/document.queries.ts'
import { listDescriptions } from '#server/features/media/picture-description.queries.ts'
import {
  listPeople,
  type ListedPerson,
  type PictureDescription,
} from '#server/features/media/picture-descriptions.rules.ts'
import { readContentVersion, readRecords } from '#server/features/content-store/content.queries.ts'
import { renderMarkdown } from '#server/features/content-store/markdown.rules.ts'
import { findLastSealedRoll } from '#server/features/roll/roll.queries.ts'
import { showFigures } from './figures.rules.ts'
import { presentRecords, type PresentRecords } from './present-records.service.ts'

interface Content extends PresentRecords {
  version: number
  /** The day for which the announcement was selected. */
  today: string
  levels: MembershipLevel[]
  /** Alt texts and credits of images, by `bucket/folder/filename`. */
  pictures: Map<string, PictureDescription>
  /** People who may have a portrait. */
  people: ListedPerson[]
  /** The first page of newsletters, and the years that have any. */
  archive: { firstPage: CampaignPage; years: number[]; archiveAfter: string }
  /** The PDF documents that visitors get, by file name. */
  documents: ReadonlyMap<string, ServedDocument>
  /** The paths of events, articles and added pages. */
  paths: ReadonlySet<string>
}

/** The site's content in memory, reloaded when its version changes. Pages keep working while the database is down. */
export interface ContentCache {
  content(): Content
  version(): string
  /** Today in the association's time zone, `YYYY-MM-DD`. */
  today(): string
  /** Resolves once everything is shown that was written before the call; the site calls it after each of its own writes. */
  refresh(): Promise<void>
  stop(): void
}

// Other instances show an officer's change within a second.
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
  /** The Markdown in use, rendered. */
  let rendered = new Map<string, string>()
  let content = await load()
  let isDatabaseDown = false
  let reloading: Promise<void> | null = null
  let nextReload: Promise<void> | null = null
  reportUnreadableDates()

  async function load(): Promise<Content> {
    const version = await readContentVersion(db)
    const day = today()
    const [records, levels, rsvpSettings, pictures, documents] = await Promise.all([
      readRecords(db),
      listLevelsOnSale(db),
      listRsvpSettings(db),
      listDescriptions(db),
      listServedDocuments(db),
    ])
    const inUse = new Map<string, string>()
    const markdownToHtml = (markdown: string) => {
      const html = rendered.get(markdown) ?? renderMarkdown(markdown)
      inUse.set(markdown, html)
      return html
    }
    const present = presentRecords(records, { today: day, timeZone, rsvpSettings, markdownToHtml })
    rendered = inUse
    const { settings, bodies, forumTeam, events, news, addedPages } = present
    setRegion({ ...settings.region, timeZone })
    return {
      ...present,
      figures: showFigures(present.figures, await findLastSealedRoll(db)),
      version,
      today: day,
      levels: levels.map(toPublicLevel),
      pictures,
      documents,
      people: listPeople({ bodies: bodies.values(), forumTeam }),
      archive: await readArchiveStart(db, { siteUrl, timeZone, ...settings.newsletter }),
      paths: new Set(
        [
          ...[...events.keys()].map((id) => `/events/${id}`),
          ...[...news.keys()].map((id) => `/news/${id}`),
          ...[...addedPages.keys()].map((address) => `/${address}`),
        ].filter((path) => !isOff(path, present.partsOff)),
      ),
    }
  }

  /** Logs once per content version. Such an event is listed as past until an officer corrects its date (docs/product-rules.md#event-dates). */
  function reportUnreadableDates(): void {
    for (const { id, date, startsOn } of content.events.values()) {
      if (startsOn === null) log.warn({ event: id, date }, 'the date of an event cannot be read: it is shown as past')
    }
  }

  async function reload(): Promise<void> {
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

  /** A reload that is running may have missed what was written just now, so this waits for the next one, which all callers share. */
  function refresh(): Promise<void> {
    nextReload ??= (reloading ?? Promise.resolve()).then(() => {
      reloading = nextReload
      nextReload = null
      return reload().finally(() => {
        reloading = null
      })
    })
    return nextReload
  }

  const timer = polling ? setInterval(() => void (reloading ?? refresh()), POLL_MS) : null
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
