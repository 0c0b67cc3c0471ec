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

/** A figure the association quotes of itself, with the day it was true (decision E13). */
export interface Figure {
  value: string
  label: string
  asOf: string
}

/** The floating notice of specification section 2; null when an officer switched it off or its end date has passed. */
export interface Notice {
  title: string
  text: string
  linkLabel: string
  linkPath: string
}

/** A page that is only words: `html` is sanitised on the server and safe to place as it is. */
export interface WordsPage {
  slug: string
  title: string
  description: string
  html: string
  version: string
  updatedOn: string
}
