// What the server runs when a timer's work has failed (deploy/association-failed@.service): a letter to the officers, straight to the mail server.
// It needs no database, which may be what is broken.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { readConfig } from '#server/config/config.ts'
import { html } from '#server/mail/html.ts'
import { createMailer } from '#server/mail/mailer.ts'

const unit = process.argv[2] ?? 'association'
const { mail, officersEmail, siteUrl } = readConfig(process.env)
const lines = [
  `On the server ${hostname()} of ${siteUrl} the unit ${unit} has failed.`,
  `Whoever looks after the server sees why with: journalctl -u ${unit} -n 50`,
  'It is tried again by its timer. This letter comes at most once a day.',
]

const mailer = createMailer(mail)
try {
  await mailer.send(
    {
      to: officersEmail,
      subject: `Website alarm: ${unit} has failed`,
      text: lines.join('\n\n'),
      html: String(html`${lines.map((line) => html`<p>${line}</p>`)}`),
    },
    `failed.${randomUUID()}`,
  )
} finally {
  mailer.close()
}
