import { randomUUID } from 'node:crypto'
import type { Config } from '#server/config/config.ts'
import { html } from '#server/emails/html.ts'
import { createMailer } from '#server/emails/mailer.ts'

/** Emails the officers directly through the mail server, without the database, which may be what is broken. */
export async function sendAlertDirectly(
  { mail, officersEmail }: Pick<Config, 'mail' | 'officersEmail'>,
  subject: string,
  lines: readonly string[],
): Promise<void> {
  const mailer = createMailer(mail)
  try {
    await mailer.send(
      {
        to: officersEmail,
        subject: `Website alert: ${subject}`,
        text: lines.join('\n\n'),
        html: String(html`${lines.map((line) => html`<p>${line}</p>`)}`),
      },
      `failed.${randomUUID()}`,
    )
  } finally {
    mailer.close()
  }
}
