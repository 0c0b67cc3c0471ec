import type { PublishedBrand } from '../brand/brand.ts'

/** What every page needs to know about the association; officers edit them as settings. */
export interface Association {
  name: string
  shortName: string
  /** null: not told. */
  foundedYear: number | null
  email: string
  address: { street: string; suite: string; city: string; region: string; postalCode: string }
  mapLink: string
  socialLinks: { label: string; url: string }[]
  /** Below its name in the footer; may be empty. */
  about: string
  /** Within which time messages are answered, such as '24-48 hours'. */
  replyTime: string
  /** What visitors should know before they write; without a title, nothing is shown. */
  caution: { title: string; text: string; emergencyNumber: string }
  /** What the newsletter is called where visitors can subscribe, and what subscribers get. */
  newsletter: { title: string; promise: string }
  /** Omitted as long as the site has the look it comes with: every page carries this. */
  brand?: PublishedBrand
}

/** Instead of the association, where it could not be loaded. */
export const NO_ASSOCIATION: Association = {
  name: '',
  shortName: '',
  foundedYear: null,
  email: '',
  address: { street: '', suite: '', city: '', region: '', postalCode: '' },
  mapLink: '',
  socialLinks: [],
  about: '',
  replyTime: '',
  caution: { title: '', text: '', emergencyNumber: '' },
  newsletter: { title: '', promise: '' },
}

/** The pages whose first sentence and description officers edit as a setting. */
export const HEADED_PAGES = [
  'becomeAMember',
  'events',
  'news',
  'faqs',
  'executiveCommittee',
  'boardDirectors',
  'boardTrustees',
  'committees',
  'sponsorUs',
] as const
export type HeadedPage = (typeof HEADED_PAGES)[number]

export interface WrittenHead {
  /** The sentence under the title; may be empty. */
  lead: string
  /** What search engines show. */
  description: string
}

/** A figure the association publishes about itself, with the date it was true (docs/product-rules.md#figures-and-names-that-age). */
export interface Figure {
  value: string
  label: string
  asOf: string
}

/** The floating announcement; null if an officer turned it off or its end date has passed. */
export interface Announcement {
  title: string
  text: string
  linkLabel: string
  linkPath: string
}

/** A page that is mostly text. `html` is sanitized on the server and safe to render. */
export interface TextPage {
  slug: string
  title: string
  description: string
  html: string
  version: string
  updatedOn: string
  /** One or two sentences under the title; null on pages that show their version there. */
  lead: string | null
  picture: { name: string; alt: string } | null
  /** Key facts for the side panel. */
  facts: { label: string; value: string }[]
  /** Aims, services or steps, each with an icon. */
  items: { title: string; text: string; spot: string }[]
  itemsTitle: string | null
  more: { label: string; path: string }[]
  /** A short sentence in large type at the top. */
  statement: string | null
  quote: { text: string; name: string; detail: string | null } | null
  timeline: { title: string | null; entries: TimelineEntry[] }
  /** Who can apply for what the page describes, and who cannot. */
  eligibility: { can: string[]; cannot: string[] }
  /** Short texts side by side at the end, each with at most one link. */
  cards: { title: string; text: string; link: { label: string; path: string } | null }[]
  /** The button of the side panel: a page, or an email to the association with a subject. */
  action: { label: string; path: string | null; subject: string | null; body: string | null } | null
  /** The last day to apply, while it is near. */
  countdown: { day: string; days: number } | null
  /** The headings of a long page, whose ids are in `html`. */
  contents: { id: string; title: string }[]
}

export interface TimelineEntry {
  year: string
  title: string
  text: string
  picture: string | null
}

/** The committee and boards whose members are listed. */
export type BodyKey = 'executive-committee' | 'board-directors' | 'board-trustees'

export interface Leader {
  name: string
  role: string | null
  location: string | null
  /** A name in `public/art`, or an address. */
  portrait: string | null
  /** Specialty. */
  field: string | null
  practice: string | null
  /** The year in which the person joined the body. */
  since: number | null
  /** Completes 'Ask me about ...'. */
  askMeAbout: string | null
  /** Paragraphs; empty for most. */
  bio: string[]
}

/** A committee or board in its newest term. */
export interface LeadershipGroup {
  key: BodyKey
  title: string
  /** Such as '2025-26'. */
  term: string
  lead: string
  members: Leader[]
}

export interface Committee {
  id: string
  title: string
  blurb: string
  /** The chair first. */
  members: string[]
  /** Of the chair. */
  portrait: string | null
}

export interface CommitteeList {
  term: string
  committees: Committee[]
}

export interface PastPresident {
  name: string
  year: number
}

/** `answer` is sanitized HTML. */
export interface FaqEntry {
  question: string
  answer: string
  /** Questions with the same group stand together. */
  group: string | null
  /** Open when the page loads. */
  isOpen: boolean
}

/** A page that officers added. `html` is sanitized on the server and safe to render. */
export interface AddedPage {
  /** Its path without the slash. */
  address: string
  title: string
  description: string
  html: string
  /** The headings of a long page, whose ids are in `html`. */
  contents: { id: string; title: string }[]
  picture: { name: string; alt: string } | null
  more: { label: string; path: string }[]
}

/** More would push the controls, and the figures below, out of the first screen. */
export const MOST_SLIDES = 4

/** In place of an event's id: the upcoming event that an officer features, or else the next one. */
export const NEXT_EVENT = 'next-event'

interface HomeButton {
  label: string
  path: string
}

/** A slide as an officer planned it: an event, or a picture with words. */
export interface PlannedSlide {
  title: string | null
  /** The id of an event, or `NEXT_EVENT`. */
  event: string | null
  /** Shown instead of the event's own. */
  picture: { name: string; alt: string } | null
  text: string | null
  button: HomeButton | null
}

/** The top of the home page. */
export interface HomeWords {
  eyebrow: string
  headline: string
  lead: string
  join: HomeButton
  learnMore: HomeButton
  slides: PlannedSlide[]
  /** Otherwise events fill the remaining slides. */
  hasOnlyTheseSlides: boolean
}
