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
import type { MembershipLevel } from '#contract/membership.ts'
import { dayOf } from '#contract/dates.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import { listLevelsOnSale, toPublicLevel } from '../membership/level.repository.ts'
import { findNotice, listFaq, listFigures, listPages, readContentVersion, readSettings } from './content.repository.ts'
import { findCommittees, findLeaderBody, listPastPresidents } from './offices.repository.ts'
import { renderMarkdown } from './markdown.ts'
import type { Settings } from './settings.ts'

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

// An officer's change is on every instance within a second (design 5).
const LOOK_EVERY_MS = 500

/** Reads the content once before it resolves. */
export async function createContentCache({
  db,
  clock,
  log,
  timeZone,
  polling = true,
}: {
  db: Db
  clock: Clock
  log: Log
  timeZone: string
  polling?: boolean
}): Promise<ContentCache> {
  const today = () => dayOf(clock.now(), timeZone)
  let content = await load()
  let isAway = false

  async function load(): Promise<Content> {
    const version = await readContentVersion(db)
    const day = today()
    const [settings, levels, notice, figures, pages, bodies, committees, pastPresidents, faq] = await Promise.all([
      readSettings(db),
      listLevelsOnSale(db),
      findNotice(db, day),
      listFigures(db),
      listPages(db),
      Promise.all(BODIES.map((key) => findLeaderBody(db, key))),
      findCommittees(db),
      listPastPresidents(db),
      listFaq(db),
    ])
    return {
      version,
      day,
      settings,
      levels: levels.map(toPublicLevel),
      notice,
      figures,
      pages: new Map(pages.map(({ markdown, ...page }) => [page.slug, { ...page, html: renderMarkdown(markdown) }])),
      bodies: new Map(bodies.flatMap((body) => (body ? [[body.key, body]] : []))),
      committees,
      pastPresidents,
      faq: faq.map(({ question, answer }) => ({ question, answer: renderMarkdown(answer) })),
    }
  }

  async function refresh(): Promise<void> {
    try {
      if ((await readContentVersion(db)) !== content.version || today() !== content.day) content = await load()
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
