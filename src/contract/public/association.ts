/** What every page knows of the association: words an officer may change, kept in the database as settings. */
export interface Association {
  name: string
  shortName: string
  foundedYear: number
  email: string
  address: { street: string; suite: string; city: string; region: string; postalCode: string }
  mapLink: string
  socialLinks: { label: string; url: string }[]
}

/** A figure the association quotes of itself, with the day it was true (docs/product-rules.md#figures-and-names-that-age). */
export interface Figure {
  value: string
  label: string
  asOf: string
}

/** The floating notice; null when an officer switched it off or its end date has passed. */
export interface Notice {
  title: string
  text: string
  linkLabel: string
  linkPath: string
}

/** A page that is mostly words. `html` is sanitised on the server and safe to place as it is. */
export interface WordsPage {
  slug: string
  title: string
  description: string
  html: string
  version: string
  updatedOn: string
  /** One or two sentences under the title; null on pages that show their version there. */
  lead: string | null
  picture: { name: string; alt: string } | null
  /** What is worth knowing at a glance, for the panel at the side. */
  facts: { label: string; value: string }[]
  /** Aims, services or steps, each with a small picture. */
  items: { title: string; text: string; spot: string }[]
  more: { label: string; path: string }[]
}

/** The bodies whose members are listed. */
export type BodyKey = 'executive-committee' | 'board-directors' | 'board-trustees'

export interface Leader {
  name: string
  role: string | null
  location: string | null
}

/** A body in its newest term. */
export interface LeaderBody {
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
  members: string[]
}

export interface CommitteeList {
  term: string
  committees: Committee[]
}

export interface PastPresident {
  name: string
  year: number
}

/** `answer` is sanitised HTML. */
export interface FaqEntry {
  question: string
  answer: string
}
