import nodemailer from 'nodemailer'
import type { Config } from '../config/config.ts'
import { PermanentFailure } from '../platform/outbox-worker.ts'
import type { OutgoingLetter } from './letter.ts'

export interface Mailer {
  /**
   * Hands one letter to the mail server under a fixed Message-ID, and answers that.
   * @throws PermanentFailure when the server refuses this letter or its recipient for good (5xx), any other error when it may be tried again.
   */
  send(letter: OutgoingLetter, id: string): Promise<string>
  close(): void
}

const CONNECTIONS = 4
const ABOUT_THE_LETTER = new Set(['RCPT TO', 'DATA'])
const CONNECT_TIMEOUT_MS = 5_000
const SOCKET_TIMEOUT_MS = 20_000
// RFC 8058 wants List-Unsubscribe and List-Unsubscribe-Post signed; nodemailer's own list leaves the second out.
const SIGNED_HEADERS =
  'from:reply-to:subject:date:message-id:to:mime-version:content-type:list-unsubscribe:list-unsubscribe-post:list-id'

export function createMailer({ smtpUrl, from, bounceAddress, dkim }: Config['mail']): Mailer {
  const transport = nodemailer.createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(dkim && {
        dkim: {
          domainName: dkim.domain,
          keySelector: dkim.selector,
          privateKey: dkim.privateKey,
          headerFieldNames: SIGNED_HEADERS,
        },
      }),
    } as Parameters<typeof nodemailer.createTransport>[0],
    { from },
  )
  const sender = /<([^<>]+)>/.exec(from)?.[1] ?? from
  const domain = sender.split('@')[1] ?? 'localhost'

  return {
    async send({ to, replyTo, subject, html, text, attachments }, id) {
      const messageId = `<${id}@${domain}>`
      try {
        await transport.sendMail({
          to: { name: '', address: to },
          ...(replyTo && { replyTo: { name: '', address: replyTo } }),
          // Typed by a visitor, an encoded word (RFC 2047) would be decoded by whoever reads the letter, line breaks and all.
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
        })
      } catch (error) {
        const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
        // A refused log-in, sender or connection is ours to put right: letters wait for that, they are not given up.
        if (responseCode >= 500 && ABOUT_THE_LETTER.has(command)) {
          throw new PermanentFailure(`mail refused ${responseCode}`)
        }
        throw error
      }
      return messageId
    },
    close: () => transport.close(),
  }
}
