import nodemailer from 'nodemailer'
import type { Config } from '../config/config.ts'
import { PRIORITIES, type Priority } from '../platform/effect-priorities.ts'
import { PermanentFailure } from '../platform/outbox-worker.ts'
import { createPriorityTurns } from '../platform/priority-turns.ts'
import { remembered } from '../platform/remembered.ts'
import type { OutgoingLetter } from './letter.ts'

export interface Mailer {
  /**
   * Hands one letter to the mail server under a fixed Message-ID, and answers that. Urgent ones go first, and always find a connection soon.
   * @throws PermanentFailure when the server refuses this letter or its recipient for good (5xx), any other error when it may be tried again.
   */
  send(letter: OutgoingLetter, id: string, priority?: Priority): Promise<string>
  /** What the server answered when it did not take the last letter, as a code; null when it did, or can be reached again. */
  trouble(): Promise<string | null>
  close(): void
}

interface SmtpFailure {
  responseCode?: number
  command?: string
  code?: string
}

/** Connections in all, and by priority those that letters of that priority and all less urgent ones have at most. */
const CONNECTIONS = [4, 3, 3, 2] as const
const TRY_AGAIN_EVERY_MS = 3_000
const ABOUT_THE_LETTER = new Set(['RCPT TO', 'DATA'])
/** In milliseconds. */
export const MAIL_TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 }
// RFC 8058 wants List-Unsubscribe and List-Unsubscribe-Post signed; nodemailer's own list leaves the second out.
const SIGNED_HEADERS =
  'from:reply-to:subject:date:message-id:to:mime-version:content-type:list-unsubscribe:list-unsubscribe-post:list-id'

export function createMailer({ smtpUrl, from, bounceAddress, dkim }: Config['mail']): Mailer {
  const transport = nodemailer.createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS[0],
      ...MAIL_TIMEOUTS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...dkimOf(dkim),
    } as Parameters<typeof nodemailer.createTransport>[0],
    { from },
  )
  const { domain } = domainOf(from)
  const inTurn = createPriorityTurns(CONNECTIONS)
  let trouble: { code: string; isConnection: boolean } | null = null

  /** A server that could not be reached is tried again; one that refuses letters is known by the next letter only. */
  const tryAgain = remembered(TRY_AGAIN_EVERY_MS, async () => {
    if (!trouble?.isConnection) return
    await transport.verify().then(
      () => (trouble = null),
      () => {},
    )
  })

  return {
    async trouble() {
      await tryAgain()
      return trouble?.code ?? null
    },
    async send({ to, replyTo, subject, html, text, attachments }, id, priority = PRIORITIES.personal) {
      const messageId = `<${id}@${domain}>`
      try {
        const sending = {
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
        }
        await inTurn(priority, () => transport.sendMail(sending))
      } catch (error) {
        const { responseCode = 0, command = '', code = '' } = error as SmtpFailure
        // A refused log-in, sender or connection is ours to put right: letters wait for that, they are not given up.
        if (responseCode >= 500 && ABOUT_THE_LETTER.has(command)) {
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

/** The signature every letter gets; nothing without a key. */
export function dkimOf(dkim: Config['mail']['dkim']): object {
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
export function domainOf(from: string): { sender: string; domain: string } {
  const sender = /<([^<>]+)>/.exec(from)?.[1] ?? from
  return { sender, domain: sender.split('@')[1] ?? 'localhost' }
}
