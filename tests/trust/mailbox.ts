import { ask } from './http.ts'
import { until } from './load.ts'

export interface Letter {
  id: string
  to: string[]
  subject: string
  text: string
  html: string
  /** Lower-case name to value, or to values in their order. */
  headers: Record<string, string | string[]>
}

/** The letters the site has sent, as the mailbox stand-in tells them. */
export class Mailbox {
  readonly #standinsUrl: string

  constructor(standinsUrl: string) {
    this.#standinsUrl = standinsUrl
  }

  /** Newest first. */
  async letters(to: string): Promise<Letter[]> {
    const answer = await ask(this.#standinsUrl, { path: `/mail/messages.json?to=${encodeURIComponent(to)}` })
    return answer.body as Letter[]
  }

  /** All there are, newest first. */
  async all(): Promise<Letter[]> {
    const answer = await ask(this.#standinsUrl, { path: '/mail/messages.json' })
    return answer.body as Letter[]
  }

  /** The link whose path begins so in the newest letter to an address that has one. Waits for it; throws when none comes. */
  async link(to: string, path: string, withinMs = 20_000): Promise<URL> {
    const link = await until(async () => (await this.letters(to)).map((letter) => linkIn(letter, path)).find(Boolean), {
      withinMs,
    })
    if (!link) throw new Error(`No letter with a link to ${path} came to ${to}`)
    return link
  }
}

export function linkIn({ text }: Letter, path: string): URL | null {
  const found = linksIn(text).find((link) => new URL(link).pathname.startsWith(path))
  return found ? new URL(found) : null
}

/** Every web address in a text or in a letter's HTML. */
export function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s"'<>)]+/g)].map(([link]) => link.replaceAll('&amp;', '&'))
}
