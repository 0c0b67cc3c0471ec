/** An email as the mailbox stand-in returns it. */
export interface ReceivedEmail {
  subject: string
  text: string
  html: string
  /** The address in its From header. */
  from: string
  /** Header names in lower case. */
  headers: Record<string, string | string[]>
}

export interface Mailbox {
  /** All emails to an address, oldest first. */
  emailsTo(address: string): Promise<ReceivedEmail[]>
  /** Waits for the email to an address with the given text in its subject, or for the second one. @throws after 15 s */
  waitForEmail(address: string, subject: RegExp, number?: number): Promise<ReceivedEmail>
}

const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 50

/** Reads the stand-in's mailbox. */
export function openMailbox(standinsUrl: string): Mailbox {
  async function emailsTo(address: string): Promise<ReceivedEmail[]> {
    const response = await fetch(`${standinsUrl}/mail/messages.json?${new URLSearchParams({ to: address })}`)
    const newestFirst = (await response.json()) as ReceivedEmail[]
    return newestFirst.toReversed()
  }

  return {
    emailsTo: emailsTo,
    async waitForEmail(address, subject, number = 1) {
      const deadline = Date.now() + PATIENCE_MS
      for (;;) {
        const emails = await emailsTo(address)
        const found = emails.filter((email) => subject.test(email.subject))[number - 1]
        if (found) return found
        if (Date.now() > deadline) {
          const others = emails.map((email) => `'${email.subject}'`).join(', ') || 'none at all'
          throw new Error(`No email matching ${subject} reached ${address}; there are: ${others}`)
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    },
  }
}

/** The first link to a page of the site in an email's text. @throws when there is none */
export function linkIn({ text }: ReceivedEmail): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (!link) throw new Error(`There is no link in: ${text}`)
  return link
}

/** The 6-digit code in an email, as printed there. @throws when there is none */
export function codeIn({ text }: ReceivedEmail): string {
  const code = /^\d{3} \d{3}$/m.exec(text)?.[0]
  if (!code) throw new Error(`There is no code in: ${text}`)
  return code
}
