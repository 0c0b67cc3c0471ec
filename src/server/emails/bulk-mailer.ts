import { Readable } from 'node:stream'
import nodemailer from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '#server/config/config.ts'
import type { Email } from './email.ts'
import { mailServerOf, dkimOptions, parseSender, MAIL_TIMEOUTS } from './mailer.ts'
import { runSmtpStep } from './smtp-step.ts'

/** One copy of a newsletter. */
export interface BulkEmail extends Email {
  to: string
  /** The local part of its Message-ID; the same on every attempt. */
  id: string
  headers: Record<string, string>
}

/**
 * The mail server's result for one copy. `bounced`: no such recipient; `refused`: this email was rejected; `deferred`: a temporary failure; `uncertain`: the
 * server had the whole email but never replied, so the recipient may have it; `unsent`: certainly not sent, for a reason unrelated to the recipient.
 */
export interface DeliveryResult {
  kind: 'accepted' | 'bounced' | 'refused' | 'deferred' | 'uncertain' | 'unsent'
  /** The code and the start of the server's reply, without email addresses; empty if accepted. */
  reason: string
}

export interface BulkMailer {
  /** Sends each email over its own connection. Never rejects. */
  send(emails: readonly BulkEmail[]): Promise<DeliveryResult[]>
  close(): void
}

/**
 * Sends newsletters over persistent connections. Unlike nodemailer's pool, it knows for each copy whether the server may have accepted it: the pool retries
 * automatically when a connection breaks, so a recipient might get two copies.
 */
export function createBulkMailer(settings: Config['mail']): BulkMailer {
  const { smtpUrl, from, bounceAddress, dkim } = mailServerOf(settings)
  const composer = nodemailer.createTransport(
    { streamTransport: true, buffer: true, newline: 'windows', ...dkimOptions(dkim) },
    { from },
  )
  const { sender, domain } = parseSender(from)
  const { auth, ...server } = parseConnectionUrl(smtpUrl)
  /** By index in a batch. */
  const connections: (SMTPConnection | null)[] = []

  async function compose({ to, id, headers, subject, html, text }: BulkEmail): Promise<Buffer> {
    const { message } = await composer.sendMail({
      to: { name: '', address: to },
      subject,
      html,
      text,
      messageId: `<${id}@${domain}>`,
      headers,
    })
    if (!Buffer.isBuffer(message)) throw new TypeError('The composer must return a buffer.')
    return message
  }

  async function open(index: number): Promise<SMTPConnection> {
    const existing = connections[index]
    if (existing && !existing.destroyed) return existing
    const connection = new SMTPConnection({ ...server, ...MAIL_TIMEOUTS })
    // An error on an idle connection surfaces when the next email is sent.
    connection.on('error', () => {})
    try {
      await runSmtpStep(connection, (done) => connection.connect(done))
      if (auth) await runSmtpStep(connection, (done) => connection.login(auth, done))
    } catch (error) {
      connection.close()
      throw error
    }
    connections[index] = connection
    return connection
  }

  function drop(index: number): void {
    connections[index]?.close()
    connections[index] = null
  }

  async function sendOne(email: BulkEmail, index: number): Promise<DeliveryResult> {
    let handedOver = false
    try {
      const message = Readable.from([await compose(email)])
      // The stream is read only after the server has accepted the DATA command.
      message.once('end', () => (handedOver = true))
      const connection = await open(index)
      await new Promise<void>((done, fail) => {
        connection.send({ from: bounceAddress ?? sender, to: [email.to] }, message, (error) =>
          error ? fail(error) : done(),
        )
      })
      return { kind: 'accepted', reason: '' }
    } catch (error) {
      const verdict = judge(error as SmtpError, handedOver)
      if (verdict.kind === 'unsent' || verdict.kind === 'uncertain') drop(index)
      else await reset(index)
      return verdict
    }
  }

  /** Makes the connection ready for the next email after a rejection. */
  async function reset(index: number): Promise<void> {
    const connection = connections[index]
    if (!connection) return
    await runSmtpStep(connection, (done) => connection.reset(done)).catch(() => drop(index))
  }

  return {
    send: (emails) => Promise.all(emails.map(sendOne)),
    close() {
      for (const connection of connections) connection?.quit()
    },
  }
}

interface SmtpError extends Error {
  responseCode?: number
  command?: string
  code?: string
}

/** Classifies a failure of one copy. */
function judge({ responseCode = 0, command = '', code = '', message }: SmtpError, handedOver: boolean): DeliveryResult {
  const reason = [responseCode || code, withoutAddresses(message)].filter(Boolean).join(' ')
  if (responseCode === 0) return { kind: handedOver ? 'uncertain' : 'unsent', reason }
  if (command === 'RCPT TO') return { kind: responseCode >= 500 ? 'bounced' : 'deferred', reason }
  // 421 closes the connection: the cause is the sender, not this email.
  if (command === 'DATA' && responseCode !== 421) return { kind: responseCode >= 500 ? 'refused' : 'deferred', reason }
  return { kind: 'unsent', reason }
}

const MAX_REASON_LENGTH = 160

function withoutAddresses(text: string): string {
  return text.replaceAll(/(?<![^\s<>@])[^\s<>@]+@[^\s<>]+/g, '…').slice(0, MAX_REASON_LENGTH)
}
