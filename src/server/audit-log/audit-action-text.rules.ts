import type { AuditKind } from '#contract/console/audit.ts'

/** The kind of record that `subjectId` refers to; determines how its name is resolved and where it links. */
export type AuditSubject =
  | 'account'
  | 'content'
  | 'contentImport'
  | 'coupon'
  | 'day'
  | 'document'
  | 'event'
  | 'import'
  | 'level'
  | 'memberEmail'
  | 'message'
  | 'newsletter'
  | 'none'
  | 'picture'
  | 'rsvp'
  | 'rsvpOrder'
  | 'sponsorship'
  | 'subscriber'
  | 'template'

export interface AuditActionText {
  kind: AuditKind
  subject: AuditSubject
  /** Text after the actor's name; `{subject}` is replaced by the subject's name. */
  text: string
  /** Variant used when the actor is the subject. */
  ownText?: string
}

/** The texts of actions of one kind, about one kind of subject. */
export function actions<Action extends string>(
  kind: AuditKind,
  subject: AuditSubject,
  texts: Record<Action, string | readonly [text: string, own: string]>,
): Record<Action, AuditActionText> {
  const pairs = Object.entries<string | readonly [string, string]>(texts)
  const entries = pairs.map(([action, text]): [string, AuditActionText] =>
    typeof text === 'string'
      ? [action, { kind, subject, text }]
      : [action, { kind, subject, text: text[0], ownText: text[1] }],
  )
  return Object.fromEntries(entries) as Record<Action, AuditActionText>
}
