// Runs when a timer's unit failed (deploy/association-failed@.service): emails the officers directly through the mail server.
// It needs no database, which may be what is broken.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { readConfig } from '#server/config/config.ts'
import { html } from '#server/emails/html.ts'
import { createMailer } from '#server/emails/mailer.ts'

const unit = process.argv[2] ?? 'association'
const { mail, officersEmail, siteUrl } = readConfig(process.env)
const lines = [
  `On the server ${hostname()} of ${siteUrl} the unit ${unit} failed.`,
  `To see why, the webmaster can run: journalctl -u ${unit} -n 50`,
  'Its timer tries again. You get this email at most once a day.',
]

const mailer = createMailer(mail)
try {
  await mailer.send(
    {
      to: officersEmail,
      subject: `Website alert: ${unit} has failed`,
      text: lines.join('\n\n'),
      html: String(html`${lines.map((line) => html`<p>${line}</p>`)}`),
    },
    `failed.${randomUUID()}`,
  )
} finally {
  mailer.close()
}
