import nodemailer from 'nodemailer'
import type { Config } from '#server/config/config.ts'
import { PRIORITIES, type Priority } from '#server/jobs/effect-priorities.ts'
import { PermanentFailure } from '#server/jobs/outbox-worker.ts'
import { createPriorityLimit } from '#server/jobs/priority-limit.ts'
import { cacheFor } from '#server/lib/cache-for.ts'
import type { OutgoingEmail } from './email.ts'

export interface Mailer {
  /**
   * Sends one email with a fixed Message-ID and returns that. Urgent emails go first, and some connections are reserved for them.
   * @throws PermanentFailure if the server permanently rejects the email or its recipient (5xx); any other error may be retried
   */
  send(email: OutgoingEmail, id: string, priority?: Priority): Promise<string>
  /** The error code of the last failed send; null once a send succeeds or the server is reachable again. */
  lastFailure(): Promise<string | null>
  close(): void
}

interface SmtpFailure {
  responseCode?: number
  command?: string
  code?: string
}

/** The connection limits: by priority, how many connections emails of that or a lower priority may use. */
const CONNECTIONS = [4, 3, 3, 2] as const
const RECHECK_EVERY_MS = 3_000
const EMAIL_COMMANDS = new Set(['RCPT TO', 'DATA'])
/** In milliseconds. */
export const MAIL_TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 }
// RFC 8058 requires List-Unsubscribe and List-Unsubscribe-Post to be signed; nodemailer's default list lacks the latter.
const SIGNED_HEADERS =
  'from:reply-to:subject:date:message-id:to:mime-version:content-type:list-unsubscribe:list-unsubscribe-post:list-id'

/** The discard port of this machine, where nothing listens: emails of a site without a mail server wait in the outbox. */
const NOWHERE = 'smtp://127.0.0.1:9'
const NO_SENDER = 'The site <no-reply@localhost.invalid>'

/** The settings of a mail server, also for a site that is being set up and has none yet. */
export function mailServerOf(mail: Config['mail']): Config['mail'] {
  return { ...mail, smtpUrl: mail.smtpUrl || NOWHERE, from: mail.from || NO_SENDER }
}

export function createMailer(settings: Config['mail']): Mailer {
  const { smtpUrl, from, bounceAddress, dkim } = mailServerOf(settings)
  const transport = nodemailer.createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS[0],
      ...MAIL_TIMEOUTS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...dkimOptions(dkim),
    } as Parameters<typeof nodemailer.createTransport>[0],
    { from },
  )
  const { domain } = parseSender(from)
  const inTurn = createPriorityLimit(CONNECTIONS)
  let trouble: { code: string; isConnection: boolean } | null = null

  /** Rechecks a server that was unreachable. A server that rejects emails is only rechecked by the next email. */
  const recheck = cacheFor(RECHECK_EVERY_MS, async () => {
    if (!trouble?.isConnection) return
    await transport.verify().then(
      () => (trouble = null),
      () => {},
    )
  })

  return {
    async lastFailure() {
      await recheck()
      return trouble?.code ?? null
    },
    async send({ to, replyTo, subject, html, text, attachments }, id, priority = PRIORITIES.personal) {
      const messageId = `<${id}@${domain}>`
      try {
        const message = {
          to: { name: '', address: to },
          ...(replyTo && { replyTo: { name: '', address: replyTo } }),
          // An encoded word (RFC 2047) in user input would be decoded by the email client, including line breaks.
          subject: subject.replaceAll('=?', '= ?'),
          html,
          text,
          attachments: attachments?.map((attachment) => ({
            ...attachment,
            content: Buffer.from(attachment.content),
          })),
          messageId,
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...(bounceAddress && { envelope: { from: bounceAddress, to } }),
        }
        await inTurn(priority, () => transport.sendMail(message))
      } catch (error) {
        const { responseCode = 0, command = '', code = '' } = error as SmtpFailure
        // A rejected login, sender or connection is a configuration problem: retry the emails instead of dropping them.
        if (responseCode >= 500 && EMAIL_COMMANDS.has(command)) {
          throw new PermanentFailure(`mail refused ${responseCode}`)
        }
        trouble = { code: String(responseCode || code), isConnection: responseCode === 0 }
        throw error
      }
      trouble = null
      return messageId
    },
    close: () => transport.close(),
  }
}

/** The DKIM options; empty without a key. */
export function dkimOptions(dkim: Config['mail']['dkim']): object {
  if (!dkim) return {}
  return {
    dkim: {
      domainName: dkim.domain,
      keySelector: dkim.selector,
      privateKey: dkim.privateKey,
      headerFieldNames: SIGNED_HEADERS,
    },
  }
}

/** The address of 'Name <address>', and its domain. */
export function parseSender(from: string): { sender: string; domain: string } {
  const sender = /<([^<>]+)>/.exec(from)?.[1] ?? from
  return { sender, domain: sender.split('@')[1] ?? 'localhost' }
}
