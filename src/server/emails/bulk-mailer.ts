import { Readable } from 'node:stream'
import nodemailer from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '../config/config.ts'
import type { Letter } from './letter.ts'
import { dkimOf, domainOf, MAIL_TIMEOUTS } from './mailer.ts'
import { step } from './smtp-steps.ts'

/** One copy of a newsletter. */
export interface BulkLetter extends Letter {
  to: string
  /** Before the @ of its Message-ID: the same however often it is tried. */
  id: string
  headers: Record<string, string>
}

/**
 * What the mail server said of one copy. `bounced`: no such recipient; `refused`: not this letter; `deferred`: later, perhaps; `uncertain`: it had the whole
 * letter and never answered, so the recipient may have it; `unsent`: it certainly has not, and nothing was said about the recipient.
 */
export interface Verdict {
  kind: 'accepted' | 'bounced' | 'refused' | 'deferred' | 'uncertain' | 'unsent'
  /** A code and the server's first words, without addresses; empty when accepted. */
  reason: string
}

export interface BulkMailer {
  /** Hands the letters over, each by a connection of its own. Never rejects. */
  send(letters: readonly BulkLetter[]): Promise<Verdict[]>
  close(): void
}

/**
 * Mails a newsletter over connections that stay open. Unlike the pool that sends single letters, it knows of each copy whether the server may have it: that pool
 * tries again by itself when a connection breaks, and then somebody may get two.
 */
export function createBulkMailer({ smtpUrl, from, bounceAddress, dkim }: Config['mail']): BulkMailer {
  const composer = nodemailer.createTransport(
    { streamTransport: true, buffer: true, newline: 'windows', ...dkimOf(dkim) },
    { from },
  )
  const { sender, domain } = domainOf(from)
  const { auth, ...server } = parseConnectionUrl(smtpUrl)
  /** By place in a batch. */
  const connections: (SMTPConnection | null)[] = []

  async function compose({ to, id, headers, subject, html, text }: BulkLetter): Promise<Buffer> {
    const { message } = await composer.sendMail({
      to: { name: '', address: to },
      subject,
      html,
      text,
      messageId: `<${id}@${domain}>`,
      headers,
    })
    if (!Buffer.isBuffer(message)) throw new TypeError('A letter is composed in memory.')
    return message
  }

  async function open(place: number): Promise<SMTPConnection> {
    const known = connections[place]
    if (known && !known.destroyed) return known
    const connection = new SMTPConnection({ ...server, ...MAIL_TIMEOUTS })
    // What breaks while nothing is sent shows at the next letter.
    connection.on('error', () => {})
    try {
      await step(connection, (done) => connection.connect(done))
      if (auth) await step(connection, (done) => connection.login(auth, done))
    } catch (error) {
      connection.close()
      throw error
    }
    connections[place] = connection
    return connection
  }

  function drop(place: number): void {
    connections[place]?.close()
    connections[place] = null
  }

  async function sendOne(letter: BulkLetter, place: number): Promise<Verdict> {
    let handedOver = false
    try {
      const message = Readable.from([await compose(letter)])
      // It is read only once the server asked for the letter.
      message.once('end', () => (handedOver = true))
      const connection = await open(place)
      await new Promise<void>((done, fail) => {
        connection.send({ from: bounceAddress ?? sender, to: [letter.to] }, message, (error) =>
          error ? fail(error) : done(),
        )
      })
      return { kind: 'accepted', reason: '' }
    } catch (error) {
      const verdict = judge(error as SmtpError, handedOver)
      if (verdict.kind === 'unsent' || verdict.kind === 'uncertain') drop(place)
      else await reset(place)
      return verdict
    }
  }

  /** After a refusal the connection goes on with the next letter. */
  async function reset(place: number): Promise<void> {
    const connection = connections[place]
    if (!connection) return
    await step(connection, (done) => connection.reset(done)).catch(() => drop(place))
  }

  return {
    send: (letters) => Promise.all(letters.map(sendOne)),
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

/** What a failure means for the copy that was being sent. */
function judge({ responseCode = 0, command = '', code = '', message }: SmtpError, handedOver: boolean): Verdict {
  const reason = [responseCode || code, withoutAddresses(message)].filter(Boolean).join(' ')
  if (responseCode === 0) return { kind: handedOver ? 'uncertain' : 'unsent', reason }
  if (command === 'RCPT TO') return { kind: responseCode >= 500 ? 'bounced' : 'deferred', reason }
  // 421 closes the connection: it is about us, not about the letter.
  if (command === 'DATA' && responseCode !== 421) return { kind: responseCode >= 500 ? 'refused' : 'deferred', reason }
  return { kind: 'unsent', reason }
}

const LONGEST_REASON = 160

function withoutAddresses(text: string): string {
  return text.replaceAll(/(?<![^\s<>@])[^\s<>@]+@[^\s<>]+/g, '…').slice(0, LONGEST_REASON)
}
