import type {
  MeetingKind,
  MemberAudience,
  MemberEmailTopic,
  ReachReason,
  ReachWay,
} from '#contract/console/emails/member-emails.ts'
import type { JsonText } from './column-values.ts'

/** Emails to members (decision record 62). Their text is a `campaign` whose recipients are `members`; each copy is a `delivery`. */

export interface MemberEmailTable {
  campaignId: string
  topic: MemberEmailTopic
  audience: JsonText<MemberAudience>
  /** The day of the meeting that a notice is about, `YYYY-MM-DD`. */
  meetingOn: string | null
  meetingKind: MeetingKind
  /** Why the notice is sent too early or too late. */
  windowReason: string | null
  /** SHA-256 of the email as it was when sending began, without the recipients' own links; null before. */
  htmlDigest: string | null
  textDigest: string | null
}

/** Everyone on the list when sending began, and how they are reached. */
export interface MemberEmailRecipientTable {
  campaignId: string
  accountId: string
  way: ReachWay
  reason: ReachReason | null
  /** The day on which it was posted, `YYYY-MM-DD`. */
  postedOn: string | null
}

/** A member's choice to get emails about a topic, or not. Without a row, the default of the topic counts. */
export interface EmailTopicChoiceTable {
  id: string
  accountId: string
  topic: string
  isWanted: number
  chosenAt: number
}

/** A sealed proof of sending. */
export interface MemberEmailProofTable {
  campaignId: string
  sealedAt: number
  /** The account of the officer. */
  sealedBy: string
  /** The list of recipients as CSV; its digest is in the PDF. */
  recipients: string
  /** Base64. */
  pdf: string
}
