/** A letter as the mailbox stand-in tells it. */
export interface Letter {
  subject: string
  text: string
  html: string
  /** The address of its From. */
  from: string
  /** Names in lower case. */
  headers: Record<string, string | string[]>
}

export interface Mailbox {
  /** Every letter to that address, oldest first. */
  lettersTo(address: string): Promise<Letter[]>
  /** The letter to that address with that in its subject, or the second such letter, waited for. @throws after 15 s without it. */
  waitForLetter(address: string, subject: RegExp, number?: number): Promise<Letter>
}

const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 50

/** Reads the stand-in's mailbox as a person opens theirs. */
export function openMailbox(standinsUrl: string): Mailbox {
  async function lettersTo(address: string): Promise<Letter[]> {
    const response = await fetch(`${standinsUrl}/mail/messages.json?${new URLSearchParams({ to: address })}`)
    const newestFirst = (await response.json()) as Letter[]
    return newestFirst.toReversed()
  }

  return {
    lettersTo,
    async waitForLetter(address, subject, number = 1) {
      const deadline = Date.now() + PATIENCE_MS
      for (;;) {
        const letters = await lettersTo(address)
        const found = letters.filter((letter) => subject.test(letter.subject))[number - 1]
        if (found) return found
        if (Date.now() > deadline) {
          const others = letters.map((letter) => `'${letter.subject}'`).join(', ') || 'none at all'
          throw new Error(`No letter like ${subject} reached ${address}; there are: ${others}`)
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    },
  }
}

/** The first address of a page of the site in a letter's text. @throws when there is none. */
export function linkIn({ text }: Letter): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (!link) throw new Error(`There is no link in: ${text}`)
  return link
}

/** The 6-digit code in a letter, as it is printed there. @throws when there is none. */
export function codeIn({ text }: Letter): string {
  const code = /^\d{3} \d{3}$/m.exec(text)?.[0]
  if (!code) throw new Error(`There is no code in: ${text}`)
  return code
}
