import * as z from 'zod/mini'
import { profile } from './account.ts'
import { endpoint } from '../endpoint.ts'
import { RECORD_AUDIENCES } from '../member-record/record-fields.ts'
import { recordValue } from '../member-record/record-schema.ts'

const moment = z.string()
const maybeMoment = z.nullable(z.string())

/** When an officer viewed the site as this member, and why. Such a view is read-only. */
export const accountView = z.object({ startedAt: moment, endedAt: maybeMoment, reason: z.string() })
export type AccountView = z.infer<typeof accountView>

/** All personal data held about the caller. Instants are ISO 8601, amounts in minor units. */
export const personalData = z.object({
  writtenAt: moment,
  account: profile,
  /** The member record, also values of fields that are no longer in use. */
  record: z.array(
    z.object({
      field: z.string(),
      value: recordValue,
      /** Who sees it besides the caller. */
      audience: z.enum(RECORD_AUDIENCES),
      enteredBy: z.enum(['owner', 'officer', 'import']),
      changedAt: moment,
      confirmedOn: z.nullable(z.string()),
    }),
  ),
  memberships: z.array(
    z.object({
      level: z.string(),
      kind: z.enum(['ONE_TIME', 'RECURRING']),
      startedAt: moment,
      /** End of the term, or of the membership if it ended earlier. */
      endsAt: maybeMoment,
      endedAt: maybeMoment,
      isCurrent: z.boolean(),
      cardProviderReference: z.nullable(z.string()),
    }),
  ),
  payments: z.array(
    z.object({
      receiptNumber: z.string(),
      level: z.string(),
      amount: z.int(),
      currency: z.string(),
      /** The coupon code and its discount. */
      code: z.nullable(z.string()),
      discount: z.int(),
      amountRefunded: z.int(),
      paidAt: moment,
      /** When the record of a check or cash payment was canceled. */
      canceledAt: maybeMoment,
      cardProviderReference: z.string(),
    }),
  ),
  /** Complimentary terms. */
  complimentaryTerms: z.array(z.object({ level: z.string(), givenAt: moment, endsAt: maybeMoment })),
  consents: z.array(z.object({ kind: z.string(), version: z.string(), givenAt: moment })),
  credentials: z.array(
    z.object({
      kind: z.string(),
      /** Where the association verifies licenses with an NPI. */
      npi: z.optional(z.nullable(z.string())),
      licenceState: z.optional(z.nullable(z.string())),
      place: z.nullable(z.string()),
      endsOn: z.nullable(z.string()),
      givenAt: moment,
      status: z.string(),
      decidedAt: maybeMoment,
      askedAt: maybeMoment,
      question: z.nullable(z.string()),
      /** By their labels; left out for the kinds whose answers are named above. */
      answers: z.optional(z.record(z.string(), z.string())),
    }),
  ),
  sessions: z.array(z.object({ browser: z.string(), signedInAt: moment, lastSeenAt: moment, endedAt: maybeMoment })),
  /** Only officers have passkeys. */
  passkeys: z.array(z.object({ name: z.string(), addedAt: moment, lastUsedAt: maybeMoment })),
  newsletter: z.nullable(
    z.object({
      email: z.string(),
      state: z.string(),
      source: z.string(),
      askedAt: moment,
      confirmedAt: maybeMoment,
      leftAt: maybeMoment,
      /** For an imported address: when it was imported, and the consent stated in the file. */
      importedAt: maybeMoment,
      consentOn: z.nullable(z.string()),
      consentSource: z.nullable(z.string()),
    }),
  ),
  messages: z.array(
    z.object({
      name: z.string(),
      subject: z.string(),
      message: z.string(),
      receivedAt: moment,
      answeredAt: maybeMoment,
      answers: z.array(z.object({ text: z.string(), sentAt: moment })),
    }),
  ),
  sponsorships: z.array(
    z.object({
      company: z.string(),
      tier: z.string(),
      amount: z.int(),
      amountRefunded: z.int(),
      currency: z.string(),
      paidAt: maybeMoment,
      receiptNumber: z.nullable(z.string()),
    }),
  ),
  events: z.array(
    z.object({
      event: z.string(),
      name: z.string(),
      guests: z.int(),
      meals: z.array(z.string()),
      /** Such as '2 × Adult'; empty without kinds of tickets. */
      tickets: z.array(z.string()),
      place: z.string(),
      saidAt: moment,
      /** Persons checked in. */
      arrived: z.int(),
    }),
  ),
  /** Events to which the member said that they cannot come. */
  declinedEvents: z.array(z.object({ event: z.string(), saidAt: moment })),
  /** The membership card, without its code; null: never opened. */
  card: z.nullable(z.object({ number: z.int(), codeMadeAt: moment, revokedAt: maybeMoment })),
  /** What the member chose about the directory; null: never anything. */
  directory: z.nullable(z.object({ inMembers: z.boolean(), inPublic: z.boolean(), takesMessages: z.boolean() })),
  /** Messages sent and received through the directory. */
  directoryMessages: z.array(
    z.object({
      direction: z.enum(['sent', 'received']),
      subject: z.string(),
      text: z.string(),
      sentAt: moment,
    }),
  ),
  /** Topics of emails to members that the member switched on or off. */
  emailTopics: z.array(z.object({ topic: z.string(), isWanted: z.boolean(), chosenAt: moment })),
  /** Emails to members that the member was on the list of. */
  emailsToMembers: z.array(
    z.object({
      subject: z.string(),
      way: z.enum(['email', 'post', 'barred', 'left-out']),
      postedOn: z.nullable(z.string()),
      /** The copy by email. */
      sentTo: z.nullable(z.string()),
      state: z.nullable(z.string()),
    }),
  ),
  /** Whether officers recorded that contact is lost or that the person died, and reports of it. */
  personStates: z.array(
    z.object({
      what: z.enum(['lost', 'deceased', 'death reported']),
      since: z.nullable(z.string()),
      sources: z.array(z.string()),
      at: moment,
      endedAt: maybeMoment,
    }),
  ),
  /** Roll calls that asked the member, and the answers. */
  rollCalls: z.array(
    z.object({
      askedAt: moment,
      answer: z.nullable(z.string()),
      how: z.nullable(z.string()),
      answeredAt: maybeMoment,
    }),
  ),
  /** Rolls of members that the member is or was on, and the member's objections to rolls. */
  rolls: z.array(
    z.object({
      roll: z.string(),
      recordDay: z.string(),
      name: z.string(),
      level: z.string(),
      address: z.string(),
      isRemoved: z.boolean(),
    }),
  ),
  rollObjections: z.array(
    z.object({ roll: z.string(), text: z.string(), madeAt: moment, answer: z.nullable(z.string()) }),
  ),
  viewedByOfficers: z.array(accountView),
  /** What officers noted about this member. */
  notes: z.array(
    z.object({ kind: z.enum(['note', 'call']), text: z.string(), writtenAt: moment, editedAt: maybeMoment }),
  ),
  /** Orders of event seats, paid or not. */
  eventPayments: z.array(
    z.object({
      event: z.string(),
      name: z.string(),
      guests: z.int(),
      amount: z.int(),
      amountRefunded: z.int(),
      currency: z.string(),
      startedAt: moment,
      paidAt: maybeMoment,
      receiptNumber: z.nullable(z.string()),
      cardProviderReference: z.nullable(z.string()),
    }),
  ),
  /** Audit log entries about the account. */
  history: z.array(z.object({ at: moment, action: z.string() })),
})
export type PersonalData = z.infer<typeof personalData>

/** Additive. */
export const downloadData = endpoint({
  name: 'downloadData',
  method: 'GET',
  path: '/api/account/data',
  access: 'member',
  summary: 'Download all personal data of the caller',
  reply: personalData,
  failures: [],
})

/** Newest first. */
export const listAccountViews = endpoint({
  name: 'listAccountViews',
  method: 'GET',
  path: '/api/account/views',
  access: 'member',
  summary: 'List when officers viewed the site as the caller',
  reply: z.array(accountView),
  failures: [],
})
