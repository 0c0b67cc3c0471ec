import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { isDay } from '#contract/dates/days.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { topicKey } from '#contract/public/my-account/email-topics.ts'
import { memberListQuery, selectedIds } from '../member-list.ts'
import {
  campaignDetail,
  controlNewsletter,
  listNewsletters,
  newsletterBody,
  newsletterEntry,
  sendNewsletter,
} from '../newsletter.ts'

/** Emails to members: written like newsletters, sent to a list of members, with a proof of sending (decision record 62). */

/** A notice goes to everyone on the list, and no one can switch it off. */
export const NOTICE = 'notice'
/** What an email is about: `NOTICE`, or the key of a topic. */
export type MemberEmailTopic = string

/** Whom it is for: these members, or all that match a filter when it is sent. */
const memberAudience = z.union([z.object({ ids: selectedIds }), z.object({ filter: memberListQuery })])
export type MemberAudience = z.infer<typeof memberAudience>

/** How a person on the list is reached. `barred`: does not want it, or the address is blocked. `left-out`: cannot be reached at all. */
export const REACH_WAYS = ['email', 'post', 'barred', 'left-out'] as const
export type ReachWay = (typeof REACH_WAYS)[number]

/** Why someone does not get the email. */
export const REACH_REASONS = [
  'no-email',
  'bounced',
  'complained',
  'not-wanted',
  'disabled',
  'deceased',
  'deleted',
] as const
export type ReachReason = (typeof REACH_REASONS)[number]

export const REACH_REASON_NAMES: Record<ReachReason, string> = {
  'no-email': 'No email address',
  bounced: 'Emails to the address bounced',
  complained: 'Marked our email as spam',
  'not-wanted': 'Does not want these emails',
  disabled: 'The account is disabled',
  deceased: 'Deceased',
  deleted: 'The account was deleted',
}

const reach = z.object({
  /** Everyone on the list: the sum of the four ways. */
  total: z.int(),
  email: z.int(),
  post: z.int(),
  barred: z.int(),
  leftOut: z.int(),
  /** How many are not reached by email, and why. */
  reasons: z.array(z.object({ way: z.enum(REACH_WAYS), reason: z.enum(REACH_REASONS), count: z.int() })),
})
export type Reach = z.infer<typeof reach>

export const MEETING_KINDS = ['annual', 'special'] as const
export type MeetingKind = (typeof MEETING_KINDS)[number]

/** The days before a meeting within which its notice may be sent. */
const noticeWindow = z.object({
  meetingOn: z.string(),
  meetingKind: z.enum(MEETING_KINDS),
  /** The first and last day for the notice. */
  opensOn: z.string(),
  closesOn: z.string(),
  /** Days before the meeting, as settings have them. */
  minDays: z.int(),
  maxDays: z.int(),
})

/** What is sent by post to those whom no email reaches. */
const postPile = z.object({
  waiting: z.int(),
  posted: z.int(),
  /** Bounced or rejected, and without a postal address. */
  unreached: z.int(),
})

const windowReasonField = z.nullable(lineField('Please give the reason in one line', 300))
const meetingField = z.nullable(
  z.string('Please enter the day of the meeting').check(z.refine(isDay, 'Please enter the day of the meeting')),
)

export const memberEmailDetail = z.extend(campaignDetail, {
  topic: z.string(),
  /** The name of the topic. */
  topicName: z.string(),
  audience: memberAudience,
  /** The audience in words. */
  audienceText: z.string(),
  /** For a notice of a meeting. */
  meetingOn: z.nullable(z.string()),
  meetingKind: z.enum(MEETING_KINDS),
  /** Why it is sent outside the time for a notice. */
  windowReason: z.nullable(z.string()),
  window: z.nullable(noticeWindow),
  /** Before it is sent: as of now. Afterwards: as it was. */
  reach,
  /** null before it is sent, and for what is not a notice. */
  post: z.nullable(postPile),
  /** When the proof of sending was sealed. */
  sealedAt: z.nullable(z.string()),
  /** Whether the caller may send notices, and see who gets them. */
  mayNotify: z.boolean(),
})
export type MemberEmailDetail = z.infer<typeof memberEmailDetail>

const shared = { access: 'officer', permission: 'members.email' } as const
const params = z.object({ id: lineField(messages.text.unreadable, 64) })

export const listEmailsToMembers = endpoint({
  ...shared,
  name: 'listEmailsToMembers',
  method: 'GET',
  path: '/api/console/member-emails',
  summary: 'List emails to members with their results, unsent ones first',
  query: listNewsletters.query,
  reply: z.object({
    emails: z.array(newsletterEntry),
    total: z.int(),
    counts: z.object({ all: z.int(), drafts: z.int(), scheduled: z.int(), sent: z.int() }),
  }),
  failures: [],
})

export const listMemberEmailTopics = endpoint({
  ...shared,
  name: 'listMemberEmailTopics',
  method: 'GET',
  path: '/api/console/member-email-topics',
  summary: 'List what an email to members can be about, as far as the caller may send it',
  reply: z.object({ topics: z.array(z.object({ key: z.string(), name: z.string() })) }),
  failures: [],
})

export const createMemberEmail = endpoint({
  ...shared,
  name: 'createEmailToMembers',
  method: 'POST',
  path: '/api/console/member-emails',
  summary: 'Create an email to members',
  body: z.object({ name: newsletterBody.shape.name, topic: topicKey, audience: memberAudience }),
  reply: memberEmailDetail,
  status: 201,
  failures: ['NOT_ALLOWED'],
})

export const getMemberEmail = endpoint({
  ...shared,
  name: 'getEmailToMembers',
  method: 'GET',
  path: '/api/console/member-emails/:id',
  summary: 'Get an email to members with whom it reaches, or its delivery progress',
  params,
  reply: memberEmailDetail,
  failures: ['NOT_FOUND'],
})

export const memberEmailBody = z.extend(newsletterBody, {
  topic: topicKey,
  audience: memberAudience,
  meetingOn: meetingField,
  meetingKind: z.enum(MEETING_KINDS, 'Please choose the kind of meeting'),
  windowReason: windowReasonField,
})

export const saveMemberEmail = endpoint({
  ...shared,
  name: 'saveEmailToMembers',
  method: 'PUT',
  path: '/api/console/member-emails/:id',
  summary: 'Change an unsent email to members',
  params,
  body: memberEmailBody,
  reply: memberEmailDetail,
  failures: ['NOT_FOUND', 'NOT_ALLOWED', 'CHANGED_MEANWHILE', 'NEWSLETTER_FIXED'],
})

export const previewMemberEmail = endpoint({
  ...shared,
  name: 'previewEmailToMembers',
  method: 'GET',
  path: '/api/console/member-emails/:id/preview',
  summary: 'Preview an email to members: a URL for a frame, and its text',
  params,
  reply: z.object({ subject: z.string(), path: z.string(), html: z.string(), text: z.string() }),
  failures: ['NOT_FOUND'],
})

export const testMemberEmail = endpoint({
  ...shared,
  name: 'testEmailToMembers',
  method: 'POST',
  path: '/api/console/member-emails/:id/test',
  summary: 'Send an email to members to the caller only',
  params,
  body: z.object({}),
  reply: z.object({ email: z.string() }),
  failures: ['NOT_FOUND'],
})

export const sendMemberEmail = endpoint({
  ...shared,
  name: 'sendEmailToMembers',
  method: 'POST',
  path: '/api/console/member-emails/:id/send',
  requiresFreshFactor: true,
  summary: 'Send an email to the members on its list, now or at a time in the association’s time zone',
  params,
  body: sendNewsletter.body,
  reply: memberEmailDetail,
  failures: [
    'NOT_FOUND',
    'NOT_ALLOWED',
    'CHANGED_MEANWHILE',
    'NEWSLETTER_FIXED',
    'NO_RECIPIENTS',
    'NOTICE_OUTSIDE_WINDOW',
  ],
})

export const controlMemberEmail = endpoint({
  ...shared,
  name: 'controlEmailToMembers',
  method: 'PUT',
  path: '/api/console/member-emails/:id/mailing',
  summary: 'Unschedule, pause, resume, or resend unconfirmed copies of an email to members',
  params,
  body: controlNewsletter.body,
  reply: memberEmailDetail,
  failures: ['NOT_FOUND', 'NOT_ALLOWED', 'CHANGED_MEANWHILE'],
})

/** What holds names and addresses asks for the second factor and is in the audit log. */
const personal = { access: 'officer', permission: 'members.notify', requiresFreshFactor: true } as const

export const downloadPostFile = fileEndpoint({
  ...personal,
  name: 'downloadPostFile',
  method: 'GET',
  path: '/api/console/member-emails/:id/post.pdf',
  summary: 'Get what is to be posted as one PDF, a page or more for each recipient',
  params,
  media: 'application/pdf',
  failures: ['NOT_FOUND', 'NOTHING_TO_POST'],
})

export const downloadPostLabels = fileEndpoint({
  ...personal,
  name: 'downloadPostLabels',
  method: 'GET',
  path: '/api/console/member-emails/:id/labels.csv',
  summary: 'Get the names and postal addresses of the post pile as CSV, protected against formulas',
  params,
  media: 'text/csv',
  failures: ['NOT_FOUND', 'NOTHING_TO_POST'],
})

export const markPosted = endpoint({
  ...personal,
  name: 'markPosted',
  method: 'POST',
  path: '/api/console/member-emails/:id/posted',
  summary: 'Record that the whole post pile was posted on a day. What comes later waits again',
  params,
  body: z.object({
    postedOn: z.string('Please enter the day').check(z.refine(isDay, 'Please enter the day')),
    /** As seen: refused with CHANGED_MEANWHILE if another number is waiting now. */
    count: z.int().check(z.gte(1), z.lte(200_000)),
  }),
  reply: memberEmailDetail,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const sealProof = endpoint({
  ...personal,
  name: 'sealProof',
  method: 'POST',
  path: '/api/console/member-emails/:id/proof',
  summary: 'Seal the proof of sending: it does not change afterwards. Idempotent',
  params,
  body: z.object({}),
  reply: memberEmailDetail,
  failures: ['NOT_FOUND', 'STILL_SENDING'],
})

export const downloadProof = fileEndpoint({
  ...personal,
  name: 'downloadProof',
  method: 'GET',
  path: '/api/console/member-emails/:id/proof.pdf',
  summary: 'Get the sealed proof of sending as PDF',
  params,
  media: 'application/pdf',
  failures: ['NOT_FOUND'],
})

export const downloadProofList = fileEndpoint({
  ...personal,
  name: 'downloadProofList',
  method: 'GET',
  path: '/api/console/member-emails/:id/recipients.csv',
  summary: 'Get the list of recipients whose digest is in the sealed proof, as CSV',
  params,
  media: 'text/csv',
  failures: ['NOT_FOUND'],
})
