/** Pages, people and events: seeded from `content/` and edited by officers. */

export interface PageTable {
  slug: string
  title: string
  description: string
  markdown: string
  version: string
  updatedOn: string
  lead: string | null
  picture: string | null
  pictureAlt: string | null
  /** JSON lists of `TextPage`. */
  facts: string
  items: string
  more: string
}

/** A governing body in one term. */
export interface LeaderBodyTable {
  body: string
  term: string
  title: string
  lead: string
}

export interface LeaderTable {
  id: string
  body: string
  term: string
  name: string
  role: string | null
  location: string | null
  position: number
}

export interface CommitteeTable {
  id: string
  term: string
  title: string
  blurb: string
  /** JSON list of names, the chair first. */
  members: string
  position: number
}

export interface PastPresidentTable {
  year: number
  name: string
}

export interface FaqTable {
  id: string
  question: string
  answer: string
  position: number
}

export interface EventTable {
  id: string
  title: string
  description: string
  /** As displayed, such as 'December 12-14, 2026'. */
  dateText: string
  timeText: string | null
  location: string
  address: string | null
  /** JSON list of image keys. */
  imageKeys: string
  detailsLink: string
  /** Markdown. */
  body: string
  /** Parsed from `date_text`; null when it cannot be parsed. */
  startsOn: string | null
  endsOn: string | null
  /** `HH:MM` in the association's time zone; null for an all-day event. */
  startsAt: string | null
  endsAt: string | null
}

export interface NewsItemTable {
  id: string
  title: string
  day: string
  excerpt: string
  /** Markdown. */
  content: string
  category: string
  author: string
  imageKey: string
}

export interface SponsorTable {
  id: string
  name: string
  logo: string
  website: string | null
  position: number
}

export interface TierTable {
  key: string
  name: string
  amountLabel: string
  /** Cents; null where the sponsor chooses the amount. */
  unitAmount: number | null
  remarksMinutes: number | null
  reservedTable: number
  /** JSON list. */
  benefits: string
  position: number
}

export interface ForumMemberTable {
  id: string
  role: string
  name: string
  school: string
  year: string
  iconName: string
  /** JSON list of paragraphs. */
  bio: string
  position: number
}

export interface AnnouncementTable {
  id: string
  title: string
  text: string
  linkLabel: string
  linkPath: string
  isOn: number
  endsOn: string | null
}

export interface FigureTable {
  id: string
  value: string
  label: string
  asOf: string
  position: number
}

export interface SettingTable {
  key: string
  /** JSON. */
  value: string
}

export interface ContentVersionTable {
  id: 1
  version: number
  /** Hash of the `content/` files last checked for new content; null before the first check. */
  shipped: string | null
}
