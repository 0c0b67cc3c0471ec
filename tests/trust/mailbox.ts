import { request } from './http.ts'
import { until } from './load.ts'

export interface ReceivedEmail {
  id: string
  to: string[]
  subject: string
  text: string
  html: string
  /** The MAIL FROM address, which receives bounces. */
  envelopeFrom: string
  /** Lower-case name to value, or to values in order. */
  headers: Record<string, string | string[]>
}

/** The emails sent by the site, as the mailbox stand-in returns them. */
export class Mailbox {
  readonly #standinsUrl: string

  constructor(standinsUrl: string) {
    this.#standinsUrl = standinsUrl
  }

  /** Newest first. */
  async emailsTo(to: string): Promise<ReceivedEmail[]> {
    const response = await request(this.#standinsUrl, { path: `/mail/messages.json?to=${encodeURIComponent(to)}` })
    return response.body as ReceivedEmail[]
  }

  /** All there are, newest first. */
  async all(): Promise<ReceivedEmail[]> {
    const response = await request(this.#standinsUrl, { path: '/mail/messages.json' })
    return response.body as ReceivedEmail[]
  }

  /** The first link with this path prefix in the newest email to an address. Waits for it; throws on timeout. */
  async link(to: string, path: string, withinMs = 20_000): Promise<URL> {
    const link = await until(async () => (await this.emailsTo(to)).map((email) => linkIn(email, path)).find(Boolean), {
      withinMs,
    })
    if (!link) throw new Error(`No email with a link to ${path} came to ${to}`)
    return link
  }
}

export function linkIn({ text }: ReceivedEmail, path: string): URL | null {
  const found = linksIn(text).find((link) => new URL(link).pathname.startsWith(path))
  return found ? new URL(found) : null
}

/** Every URL in a text or in an email's HTML. */
export function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s"'<>)]+/g)].map(([link]) => link.replaceAll('&amp;', '&'))
}
