/** Pages, people and events: seeded from `content/` and edited by officers. */

export interface PageTable {
  slug: string
  title: string
  description: string
  markdown: string
  version: string
  updated_on: string
  lead: string | null
  picture: string | null
  picture_alt: string | null
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
  date_text: string
  time_text: string | null
  location: string
  address: string | null
  /** JSON list of image keys. */
  image_keys: string
  details_link: string
  /** Markdown. */
  body: string
  /** Parsed from `date_text`; null when it cannot be parsed. */
  starts_on: string | null
  ends_on: string | null
  /** `HH:MM` in the association's time zone; null for an all-day event. */
  starts_at: string | null
  ends_at: string | null
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
  image_key: string
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
  amount_label: string
  /** Cents; null where the sponsor chooses the amount. */
  unit_amount: number | null
  remarks_minutes: number | null
  reserved_table: number
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
  icon_name: string
  /** JSON list of paragraphs. */
  bio: string
  position: number
}

export interface AnnouncementTable {
  id: string
  title: string
  text: string
  link_label: string
  link_path: string
  is_on: number
  ends_on: string | null
}

export interface FigureTable {
  id: string
  value: string
  label: string
  as_of: string
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
