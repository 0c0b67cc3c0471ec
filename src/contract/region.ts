/** Where the association is: its calendar and its money. Officers choose both as a setting. */
export interface Region {
  /** IANA name, such as America/Chicago. */
  timeZone: string
  /** ISO 4217, in lower case, as the payment provider writes it. */
  currency: string
  /** ISO 3166, such as US. */
  country: string
}

let current: Region = { timeZone: 'UTC', currency: 'usd', country: 'US' }

/** The region of this site. A process serves one association, and so does a page. */
export function region(): Region {
  return current
}

/** Called by the server whenever it loads the content, and by the frame of every page before it shows anything. */
export function setRegion(region: Region): void {
  current = region
}
