import type {
  Announcement,
  BodyKey,
  CommitteeList,
  FaqEntry,
  Figure,
  LeadershipGroup,
  PastPresident,
  TextPage,
} from '#contract/public/association.ts'
import { formatEventTimes } from '#contract/dates/event-when.ts'
import type { EventDetails } from '#contract/public/events.ts'
import type { ForumMember } from '#contract/public/forum.ts'
import type { JoinPage } from '#contract/public/join-page.ts'
import type { NewsArticle } from '#contract/public/news.ts'
import type { Sponsor } from '#contract/public/sponsors.ts'
import { isoTimes, readSchedule } from '#server/features/content-store/event-times.rules.ts'
import { eventKind, newsKind, type EventValue } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { joinPageKind } from '#server/features/content-store/kinds/join.kinds.ts'
import {
  committeeKind,
  currentLeaders,
  forumKind,
  pastPresidentKind,
} from '#server/features/content-store/kinds/people.kinds.ts'
import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import type { Settings } from '#server/features/content-store/settings.schema.ts'
import { sponsorKind, tierKind, type Tier } from '#server/features/content-store/kinds/support.kinds.ts'
import {
  announcementKind,
  faqKind,
  figureKind,
  pageKind,
  type AnnouncementValue,
  type PageValue,
} from '#server/features/content-store/kinds/text.kinds.ts'
import type { PublishedRecords } from '#server/features/content-store/record-set.rules.ts'
import {
  withSafeAnnouncementLink,
  withSafeEventLinks,
  withSafeNewsLinks,
  withSafePageLinks,
  withSafeSponsorLinks,
} from '#server/features/content-store/stored-links.rules.ts'
import { withRsvpState } from '#server/features/rsvps/event-rsvp.service.ts'
import type { RsvpSettings } from '#server/features/rsvps/rsvp-settings.queries.ts'

/** The records as the site's pages and calls have them. */
export interface PresentRecords {
  settings: Settings
  announcement: Announcement | null
  figures: Figure[]
  pages: Map<string, TextPage>
  /** In their newest terms. */
  bodies: Map<BodyKey, LeadershipGroup>
  committees: CommitteeList | null
  pastPresidents: PastPresident[]
  faq: FaqEntry[]
  events: Map<string, EventDetails>
  news: Map<string, NewsArticle>
  sponsors: Sponsor[]
  tiers: Tier[]
  joinPage: JoinPage
  forumTeam: ForumMember[]
}

interface PresentOptions {
  today: string
  timeZone: string
  rsvpSettings: readonly RsvpSettings[]
  markdownToHtml(markdown: string): string
}

export function presentRecords(records: PublishedRecords, options: PresentOptions): PresentRecords {
  const { today, markdownToHtml } = options
  const committees = records.single(committeeKind)
  return {
    settings: settingsOf(records).settings,
    announcement: presentAnnouncement(records.single(announcementKind), today),
    figures: records.single(figureKind)?.figures ?? [],
    pages: new Map(records.list(pageKind).map(({ id, value }) => [id, presentPage(id, value, markdownToHtml)])),
    bodies: new Map(
      currentLeaders(records).map(({ body, members, ...rest }) => [
        body,
        {
          key: body,
          ...rest,
          members: members.map(({ name, role = null, location = null }) => ({ name, role, location })),
        },
      ]),
    ),
    committees: committees && committees.committees.length > 0 ? committees : null,
    pastPresidents: records.single(pastPresidentKind)?.presidents ?? [],
    faq: (records.single(faqKind)?.questions ?? []).map(({ question, answer }) => ({
      question,
      answer: markdownToHtml(answer),
    })),
    events: new Map(
      records
        .list(eventKind)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, value }) => [id, presentEvent(value, options)]),
    ),
    news: new Map(
      records.list(newsKind).map(({ id, value }) => {
        const { content, ...item } = withSafeNewsLinks(value)
        return [id, { ...item, html: markdownToHtml(content) }]
      }),
    ),
    sponsors: (records.single(sponsorKind)?.sponsors ?? []).map(withSafeSponsorLinks),
    tiers: records.single(tierKind)?.tiers ?? [],
    joinPage: presentJoinPage(records, markdownToHtml),
    forumTeam: records.single(forumKind)?.team ?? [],
  }
}

/** The announcement if it is on and has not ended by `today`. */
function presentAnnouncement(announcement: AnnouncementValue | null, today: string): Announcement | null {
  if (!announcement?.isOn || (announcement.endsOn ?? today) < today) return null
  const { title, text, linkLabel, linkPath } = withSafeAnnouncementLink(announcement)
  return { title, text, linkLabel, linkPath }
}

function presentJoinPage(records: PublishedRecords, markdownToHtml: (markdown: string) => string): JoinPage {
  const { levels = [], asides = [], voice, questions = [] } = records.single(joinPageKind) ?? {}
  return {
    levels: levels.map(({ note = null, spot = null, ink = null, ...level }) => ({ ...level, note, spot, ink })),
    asides: asides.map(({ text = null, ...aside }) => ({ ...aside, text })),
    voice: voice ? { detail: null, portrait: null, ...voice } : null,
    questions: questions.map(({ question, answer }) => ({ question, answer: markdownToHtml(answer) })),
  }
}

function presentPage(slug: string, value: PageValue, markdownToHtml: (markdown: string) => string): TextPage {
  const { markdown, lead = null, picture, pictureAlt = '', ...page } = withSafePageLinks(value)
  return {
    ...page,
    slug,
    lead,
    picture: picture === undefined ? null : { name: picture, alt: pictureAlt },
    html: markdownToHtml(markdown),
  }
}

function presentEvent(value: EventValue, { timeZone, rsvpSettings, markdownToHtml }: PresentOptions): EventDetails {
  const { body, time = null, address = null, ...event } = withSafeEventLinks(value)
  const schedule = readSchedule(value)
  return {
    ...withRsvpState({ ...event, time, address, ...schedule }, rsvpSettings),
    ...formatEventTimes({ date: event.date, time }),
    ...isoTimes(schedule, timeZone),
    html: markdownToHtml(body),
  }
}
