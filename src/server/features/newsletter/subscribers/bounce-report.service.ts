import * as z from 'zod/mini'
import type { BounceKind } from './bounces.service.ts'

/** A bounced email, or a spam complaint about one. */
export interface BounceReport {
  /** From the Message-ID of the email, if the report includes it. */
  deliveryId: string | null
  email: string | null
  kind: BounceKind
  reason: string
}

const MAX_REASON_LENGTH = 160

/**
 * Parses an email received at the bounce address: a delivery status notification (RFC 3464) or a feedback report (RFC 5965). Returns an empty list for
 * other emails, such as out-of-office replies, and for delay notifications.
 */
export async function parseBounceEmail(raw: Uint8Array): Promise<BounceReport[]> {
  const { default: PostalMime } = await import('postal-mime')
  const email = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' })
  const parts = new Map(
    email.attachments.map(({ mimeType, content }) => [
      mimeType,
      typeof content === 'string' ? content : new TextDecoder().decode(content),
    ]),
  )
  const original = parts.get('message/rfc822') ?? parts.get('text/rfc822-headers') ?? ''
  const deliveryId = /^message-id:\s*<([^@>\s]+)@/im.exec(original)?.[1] ?? null
  const report = parts.get('message/feedback-report')
  if (report !== undefined) {
    const recipient = /^original-rcpt-to:\s*<?([^\s<>]+@[^\s<>]+)>?/im.exec(report)?.[1] ?? null
    return [{ deliveryId, email: recipient, kind: 'complaint', reason: 'marked as spam by the recipient' }]
  }
  return readStatus(parts.get('message/delivery-status') ?? '', deliveryId)
}

/** Groups of fields are separated by blank lines; the first describes the message, each other one a recipient. */
function readStatus(status: string, deliveryId: string | null): BounceReport[] {
  const groups = status.replaceAll('\r\n', '\n').split(/\n{2,}/)
  return groups.flatMap((group): BounceReport[] => {
    const field = (name: string) => new RegExp(`^${name}:\\s*(.+)$`, 'im').exec(group)?.[1]?.trim() ?? ''
    if (field('action').toLowerCase() !== 'failed') return []
    const recipient = field('final-recipient') || field('original-recipient')
    const email = recipient.split(/[\s;<>]/).find((part) => /^[^@]+@./.test(part)) ?? null
    const code = field('status')
    const reason = `${code} ${field('diagnostic-code')}`.trim().slice(0, MAX_REASON_LENGTH)
    return [{ deliveryId, email, kind: isPermanent(code) ? 'hard' : 'soft', reason }]
  })
}

/** RFC 3463: 5.x.x is permanent, except for a full mailbox. */
function isPermanent(status: string): boolean {
  return status.startsWith('5') && status !== '5.2.2'
}

const bounceWebhook = z.object({
  events: z.array(
    z.object({
      type: z.enum(['bounce', 'complaint']),
      email: z.string(),
      /** For bounces only: whether the failure is permanent. */
      permanent: z.optional(z.boolean()),
      /** With or without angle brackets. */
      messageId: z.optional(z.string()),
      reason: z.optional(z.string()),
    }),
  ),
})

/** Parses a provider's JSON bounce webhook; null if invalid. */
export function parseBounceWebhook(text: string): BounceReport[] | null {
  const read = z.safeParse(bounceWebhook, parseJson(text))
  if (!read.success) return null
  return read.data.events.map(({ type, email, permanent = false, messageId, reason = '' }) => ({
    deliveryId: /^<?([^@>\s]+)@/.exec(messageId ?? '')?.[1] ?? null,
    email,
    kind: type === 'complaint' ? 'complaint' : permanent ? 'hard' : 'soft',
    reason: reason.slice(0, MAX_REASON_LENGTH),
  }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
