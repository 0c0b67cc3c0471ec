import type { UnfinishedRecord } from '#contract/setup/site-setup.ts'
import type {
  Announcement,
  BodyKey,
  CommitteeList,
  FaqEntry,
  Figure,
  Leader,
  LeadershipGroup,
  PastPresident,
  TextPage,
} from '#contract/public/association.ts'
import { formatEventTimes } from '#contract/dates/event-when.ts'
import type { EventDetails } from '#contract/public/events.ts'
import type { ForumMember } from '#contract/public/forum.ts'
import type { JoinPage } from '#contract/public/membership.ts'
import { PARTS, type Part } from '#contract/parts.ts'
import type { ClinicTranslation } from '#contract/public/clinic.ts'
import type { NewsArticle } from '#contract/public/news.ts'
import type { CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { emailTopicKind, toTopic } from '#server/features/content-store/kinds/email-topics.kinds.ts'
import type { StoredEmailTopic } from '#contract/public/my-account/email-topics.ts'
import type { StoredRecordField } from '#contract/member-record/record-fields.ts'
import type { Sponsor, SponsorPage } from '#contract/public/sponsors.ts'
import { isoTimes, readSchedule } from '#server/features/content-store/event-times.rules.ts'
import { eventKind, newsKind, type EventValue } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { clinicLanguageKind } from '#server/features/content-store/kinds/clinic.kinds.ts'
import { credentialKindsOf } from '#server/features/content-store/kinds/credential-kinds.kinds.ts'
import { DEFAULT_CHOICES, joinPageKind } from '#server/features/content-store/kinds/join.kinds.ts'
import {
  committeeKind,
  currentLeaders,
  forumKind,
  pastPresidentKind,
  type LeaderValue,
} from '#server/features/content-store/kinds/people.kinds.ts'
import { countdownTo } from '#server/features/content-store/deadline.rules.ts'
import { recordFieldKind, toRecordField } from '#server/features/content-store/kinds/record-fields.kinds.ts'
import { settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import type { Settings } from '#server/features/content-store/settings.schema.ts'
import { sponsorPageKind } from '#server/features/content-store/kinds/sponsor-page.kinds.ts'
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
  withSafePortrait,
  withSafeSponsorLinks,
  withSafeVoice,
} from '#server/features/content-store/stored-links.rules.ts'
import { withRsvpState } from '#server/features/rsvps/event-rsvp.service.ts'
import type { RsvpSettings } from '#server/features/rsvps/rsvp-settings.queries.ts'
import { editableKinds } from '#server/features/content-store/content-kinds.registry.ts'
import { unfinishedRecords } from '#server/features/content-store/unfinished.rules.ts'
import { withContents } from '#server/features/content-store/page-contents.rules.ts'
import { presentWebsite, type PresentWebsite } from './present-website.service.ts'

/** The records as the site's pages and calls have them. */
export interface PresentRecords extends PresentWebsite {
  settings: Settings
  /** The parts of the site that are off. */
  partsOff: Part[]
  /** What a starter profile left to the officers. */
  unfinished: UnfinishedRecord[]
  announcement: Announcement | null
  figures: (Figure & { isFromRoll?: boolean | undefined })[]
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
  sponsorPage: SponsorPage
  joinPage: JoinPage
  clinicTranslations: ClinicTranslation[]
  forumTeam: ForumMember[]
  /** The fields of the member record, retired ones too. */
  recordFields: StoredRecordField[]
  /** The association's own topics of emails to members, retired ones too. */
  emailTopics: StoredEmailTopic[]
  /** In the order of the form, retired ones too. */
  credentialKinds: CredentialKind[]
}

interface PresentOptions {
  today: string
  timeZone: string
  rsvpSettings: readonly RsvpSettings[]
  markdownToHtml(markdown: string): string
}

export function presentRecords(records: PublishedRecords, options: PresentOptions): PresentRecords {
  const { today, markdownToHtml } = options
  const { settings } = settingsOf(records)
  const partsOff = PARTS.filter((part) => !settings.parts[part])
  const countdown = countdownTo(settings.scholarships.deadline, today)
  return {
    ...presentWebsite(records, markdownToHtml),
    settings,
    partsOff,
    unfinished: unfinishedRecords(editableKinds, records, partsOff),
    announcement: presentAnnouncement(records.single(announcementKind), today),
    figures: records.single(figureKind)?.figures ?? [],
    pages: new Map(
      records.list(pageKind).map(({ id, value }) => [id, presentPage(id, value, { countdown, markdownToHtml })]),
    ),
    bodies: new Map(
      currentLeaders(records).map(({ body, members, ...rest }) => [
        body,
        {
          key: body,
          ...rest,
          members: members.map(presentLeader),
        },
      ]),
    ),
    committees: presentCommittees(records),
    pastPresidents: records.single(pastPresidentKind)?.presidents ?? [],
    faq: (records.single(faqKind)?.questions ?? []).map(({ question, answer, group = null, isOpen = false }) => ({
      question,
      answer: markdownToHtml(answer),
      group,
      isOpen,
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
    sponsorPage: presentSponsorPage(records),
    joinPage: presentJoinPage(records, markdownToHtml),
    clinicTranslations: (records.single(clinicLanguageKind)?.languages ?? []).map(
      ({ draftNote = null, isChecked = false, ...texts }) => ({
        ...texts,
        isChecked,
        draftNote: isChecked ? null : draftNote,
      }),
    ),
    forumTeam: records.single(forumKind)?.team ?? [],
    emailTopics: (records.single(emailTopicKind)?.topics ?? []).map(toTopic),
    credentialKinds: credentialKindsOf(records),
    recordFields: (records.single(recordFieldKind)?.fields ?? []).map(toRecordField),
  }
}

/** The announcement if it is on and has not ended by `today`. */
function presentAnnouncement(announcement: AnnouncementValue | null, today: string): Announcement | null {
  if (!announcement?.isOn || (announcement.endsOn ?? today) < today) return null
  const { title, text, linkLabel, linkPath } = withSafeAnnouncementLink(announcement)
  return { title, text, linkLabel, linkPath }
}

function presentJoinPage(records: PublishedRecords, markdownToHtml: (markdown: string) => string): JoinPage {
  const {
    levels = [],
    asides = [],
    voice,
    questions = [],
    choices = DEFAULT_CHOICES,
  } = records.single(joinPageKind) ?? {}
  return {
    levels: levels.map(({ note = null, spot = null, ink = null, ...level }) => ({ ...level, note, spot, ink })),
    asides: asides.map(({ text = null, ...aside }) => ({ ...aside, text })),
    voice: voice ? { detail: null, portrait: null, ...withSafeVoice(voice) } : null,
    questions: questions.map(({ question, answer }) => ({ question, answer: markdownToHtml(answer) })),
    choices,
  }
}

function presentSponsorPage(records: PublishedRecords): SponsorPage {
  const { recommended = null, impactTitle = null, impact = [], quote } = records.single(sponsorPageKind) ?? {}
  return { recommended, impactTitle, impact, quote: quote ? { detail: null, ...quote } : null }
}

function presentLeader(value: LeaderValue): Leader {
  const {
    name,
    role = null,
    location = null,
    portrait = null,
    field = null,
    practice = null,
    since = null,
    askMeAbout = null,
    bio = [],
  } = withSafePortrait(value)
  return { name, role, location, portrait, field, practice, since, askMeAbout, bio }
}

function presentCommittees(records: PublishedRecords): CommitteeList | null {
  const { term, committees } = records.single(committeeKind) ?? { term: '', committees: [] }
  if (committees.length === 0) return null
  const present = committees.map((value) => {
    const { portrait = null, ...committee } = withSafePortrait(value)
    return { ...committee, portrait }
  })
  return { term, committees: present }
}

function presentPage(
  slug: string,
  value: PageValue,
  { countdown, markdownToHtml }: { countdown: TextPage['countdown']; markdownToHtml: PresentOptions['markdownToHtml'] },
): TextPage {
  const { title, description, version, updatedOn, facts, items, more, ...page } = withSafePageLinks(value)
  const { quote, action, timeline = [], cards = [], canApply = [], cannotApply = [] } = page
  return {
    slug,
    title,
    description,
    version,
    updatedOn,
    facts,
    items,
    more,
    lead: page.lead ?? null,
    itemsTitle: page.itemsTitle ?? null,
    picture: page.picture === undefined ? null : { name: page.picture, alt: page.pictureAlt ?? '' },
    statement: page.statement ?? null,
    quote: quote ? { detail: null, ...quote } : null,
    timeline: {
      title: page.timelineTitle ?? null,
      entries: timeline.map(({ picture = null, ...entry }) => ({ ...entry, picture })),
    },
    eligibility: { can: canApply, cannot: cannotApply },
    cards: cards.map(({ title: heading, text, label, path }) => ({
      title: heading,
      text,
      link: label !== undefined && path !== undefined ? { label, path } : null,
    })),
    action: action
      ? {
          label: action.label,
          path: action.path ?? null,
          subject: action.subject ?? null,
          body: action.body ?? null,
        }
      : null,
    countdown: page.hasDeadline ? countdown : null,
    ...withContents(markdownToHtml(page.markdown)),
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
