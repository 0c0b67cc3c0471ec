import * as z from 'zod/mini'
import type { BounceKind } from './bounces.service.ts'

/** A letter that came back, or a recipient's complaint about one. */
export interface ReturnedLetter {
  /** From the Message-ID of the letter, when the notice repeats it. */
  deliveryId: string | null
  email: string | null
  kind: BounceKind
  reason: string
}

const LONGEST_REASON = 160

/**
 * Reads a mail that arrived at the bounce address: a delivery status notification (RFC 3464) or a feedback report (RFC 5965). Empty for any other mail,
 * such as an answer of somebody who is on holiday, and for notices of a delay.
 */
export async function readReturnedMail(raw: Uint8Array): Promise<ReturnedLetter[]> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' })
  const parts = new Map(
    mail.attachments.map(({ mimeType, content }) => [
      mimeType,
      typeof content === 'string' ? content : new TextDecoder().decode(content),
    ]),
  )
  const original = parts.get('message/rfc822') ?? parts.get('text/rfc822-headers') ?? ''
  const deliveryId = /^message-id:\s*<([^@>\s]+)@/im.exec(original)?.[1] ?? null
  const report = parts.get('message/feedback-report')
  if (report !== undefined) {
    const email = /^original-rcpt-to:\s*<?([^\s<>]+@[^\s<>]+)>?/im.exec(report)?.[1] ?? null
    return [{ deliveryId, email, kind: 'complaint', reason: 'called spam by the recipient' }]
  }
  return readStatus(parts.get('message/delivery-status') ?? '', deliveryId)
}

/** Groups of fields, a blank line between; the first is about the letter, each other about a recipient. */
function readStatus(status: string, deliveryId: string | null): ReturnedLetter[] {
  const groups = status.replaceAll('\r\n', '\n').split(/\n{2,}/)
  return groups.flatMap((group): ReturnedLetter[] => {
    const field = (name: string) => new RegExp(`^${name}:\\s*(.+)$`, 'im').exec(group)?.[1]?.trim() ?? ''
    if (field('action').toLowerCase() !== 'failed') return []
    const recipient = field('final-recipient') || field('original-recipient')
    const email = recipient.split(/[\s;<>]/).find((part) => /^[^@]+@./.test(part)) ?? null
    const code = field('status')
    const reason = `${code} ${field('diagnostic-code')}`.trim().slice(0, LONGEST_REASON)
    return [{ deliveryId, email, kind: isForGood(code) ? 'hard' : 'soft', reason }]
  })
}

/** RFC 3463: 5.x.x is permanent, but for a mailbox that is full. */
function isForGood(status: string): boolean {
  return status.startsWith('5') && status !== '5.2.2'
}

const notice = z.object({
  events: z.array(
    z.object({
      type: z.enum(['bounce', 'complaint']),
      email: z.string(),
      /** Of a bounce: whether the mailbox is gone for good; a complaint needs none. */
      permanent: z.optional(z.boolean()),
      /** With or without its angle brackets. */
      messageId: z.optional(z.string()),
      reason: z.optional(z.string()),
    }),
  ),
})

/** A provider's notice as JSON; null when it is none. */
export function readNotice(text: string): ReturnedLetter[] | null {
  const read = z.safeParse(notice, parseJson(text))
  if (!read.success) return null
  return read.data.events.map(({ type, email, permanent = false, messageId, reason = '' }) => ({
    deliveryId: /^<?([^@>\s]+)@/.exec(messageId ?? '')?.[1] ?? null,
    email,
    kind: type === 'complaint' ? 'complaint' : permanent ? 'hard' : 'soft',
    reason: reason.slice(0, LONGEST_REASON),
  }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
