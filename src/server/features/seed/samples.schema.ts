import * as z from 'zod/mini'
import { ROLES } from '#contract/access.ts'
import { pictureAddressField } from '#contract/fields.ts'
import { RECORD_AUDIENCES } from '#contract/member-record/record-fields.ts'
import { slug } from '#server/features/content-store/kinds/fields.schema.ts'

const monthsAgo = z.int().check(z.gte(0))

export const accountsSchema = z.object({
  password: z.string(),
  accounts: z.array(
    z.object({
      email: z.email(),
      username: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      joinedMonthsAgo: monthsAgo,
      isOfficer: z.optional(z.boolean()),
      membership: z.object({
        level: z.string(),
        paidMonthsAgo: z.optional(z.array(monthsAgo)),
        startedMonthsAgo: z.optional(monthsAgo),
        /** Whether to create a subscription at the card provider. */
        renews: z.optional(z.boolean()),
      }),
    }),
  ),
})

const daysAgo = z.int().check(z.gte(0))
const hoursAgo = z.number().check(z.gte(0))

/** A person in a list of members. Amounts are in dollars. */
const personSchema = z.strictObject({
  name: z.string().check(z.regex(/^\S+ \S/, 'write the first and the last name')),
  level: z._default(z.string(), 'annual_member'),
  paid: z._default(z.array(monthsAgo), []),
  by: z._default(z.enum(['card', 'check', 'cash'], 'use card, check or cash'), 'card'),
  /** For those who paid nothing. */
  started: z._default(monthsAgo, 0),
  credential: z._default(z.enum(['approved', 'due', 'asked', 'waiting', 'declined', 'none']), 'approved'),
  role: z.optional(z.enum(ROLES)),
  /** Of the last payment. */
  refunded: z._default(z.number(), 0),
  dispute: z.optional(z.enum(['open', 'won', 'lost'])),
  /** Why a second record of the last payment was voided. */
  voided: z.optional(z.string()),
  failedDaysAgo: z.optional(daysAgo),
  endsInMonths: z.optional(monthsAgo),
  /** Why the term is complimentary. */
  reason: z.optional(z.string()),
  /** When the account was closed. */
  closed: z._default(monthsAgo, 0),
  ending: z.optional(z.enum(['request', 'deceased'])),
})
export type SamplePerson = z.infer<typeof personSchema>

const people = z.array(personSchema)
/** People by the status of their membership or account. */
export const membersSchema = z.strictObject({
  renewing: people,
  manual: people,
  stopping: people,
  pastDue: people,
  unpaid: people,
  lifetime: people,
  free: people,
  complimentary: people,
  lapsed: people,
  canceled: people,
  refunded: people,
  notPaidYet: people,
  staff: people,
  disabled: people,
  deceased: people,
  left: people,
  ended: people,
})
export type SampleStatus = keyof z.infer<typeof membersSchema>

/** Values of the member record, by field, given to the members in turn; and to whom they are shown. */
export const recordsSchema = z.object({
  shownTo: z.record(slug, z.enum(RECORD_AUDIENCES)),
  records: z.array(z.record(slug, z.union([z.string(), z.int(), z.array(z.string())]))).check(z.minLength(1)),
})

/** Amounts are in dollars. */
export const sponsorshipsSchema = z.array(
  z.object({
    name: z.string(),
    email: z.email(),
    company: z.string(),
    phone: z._default(z.nullable(z.string()), null),
    message: z._default(z.nullable(z.string()), null),
    tierName: z.string(),
    amount: z.number(),
    state: z.enum(['paid', 'expired', 'failed'], 'use paid, expired or failed'),
    orderedDaysAgo: daysAgo,
    kept: z._default(z.array(z.enum(['remarks', 'table', 'logo'], 'name remarks, table or logo')), []),
    refunded: z._default(z.number(), 0),
  }),
)

export const messagesSchema = z.array(
  z.object({
    name: z.string(),
    email: z.email(),
    subject: z.string(),
    message: z.string().check(z.trim()),
    receivedHoursAgo: hoursAgo,
    answeredHoursAgo: z._default(z.nullable(hoursAgo), null),
    reply: z.optional(z.string().check(z.trim())),
    spamHoursAgo: z._default(z.nullable(hoursAgo), null),
    /** The address of an officer. */
    assignedTo: z.optional(z.email()),
  }),
)

/** The sample pictures of each folder; an illustration of the site stands in for a photograph. */
export const picturesSchema = z.array(
  z.object({
    bucket: z.enum(['home', 'clinic', 'exec']),
    folder: z.enum(['hero', 'gallery', 'team']),
    pictures: z.array(
      z.object({
        art: slug,
        name: slug,
        alt: z.optional(z.string()),
        caption: z.optional(z.string()),
        /** The id of the officer of the forum whom it shows. */
        forumMember: z.optional(slug),
      }),
    ),
  }),
)

const campaignFields = {
  name: z.string().check(z.minLength(1)),
  subject: z.string().check(z.minLength(1)),
  picture: z.optional(pictureAddressField),
  snippet: z.string().check(z.minLength(1), z.maxLength(200)),
  canEmbed: z._default(z.boolean(), true),
  hasView: z._default(z.boolean(), true),
}
const instant = z.iso.datetime('use a UTC time such as 2026-11-01T14:00:00Z')

/** The front matter of a campaign file; `sentAt` is for campaigns that were sent by other means. */
export const campaignFileSchema = z.object({ ...campaignFields, id: z.optional(slug), sentAt: z.optional(instant) })

export const campaignsSchema = z.array(
  z.object({
    ...campaignFields,
    id: slug,
    sentAt: instant,
    /** Markdown. */
    body: z.string().check(z.minLength(1)),
  }),
)

const many = z.int().check(z.gte(0))

/** How many sample subscribers to create in each state. */
export const subscribersSchema = z.object({
  subscribers: z.object({ subscribed: many, pending: many, left: many, bounced: many, complained: many }),
})

/** RSVP settings of sample events, with invented guests. Amounts are cents. */
export const rsvpsSchema = z.object({
  names: z.array(z.string()).check(z.minLength(1)),
  events: z.array(
    z.object({
      event: slug,
      capacity: z._default(z.nullable(many), null),
      guestsMax: many,
      meals: z._default(z.array(z.string()), []),
      creditHours: z._default(z.nullable(z.number()), null),
      closesDaysBefore: many,
      price: z._default(z.nullable(many), null),
      memberPrice: z._default(z.nullable(many), null),
      refundDaysBefore: z._default(z.nullable(many), null),
      text: z._default(z.nullable(z.string()), null),
      coming: z._default(many, 0),
      waiting: z._default(many, 0),
    }),
  ),
})

/** The samples in `more/`, which show the site as it looks in use. */
export interface MoreSampleFiles {
  members: z.infer<typeof membersSchema>
  records: z.infer<typeof recordsSchema>
  sponsorships: z.infer<typeof sponsorshipsSchema>
  messages: z.infer<typeof messagesSchema>
}

/** Invented people and what they did; never seeded in production. */
export interface SampleFiles {
  accounts: z.infer<typeof accountsSchema>
  sponsorships: z.infer<typeof sponsorshipsSchema>
  messages: z.infer<typeof messagesSchema>
  rsvps: z.infer<typeof rsvpsSchema>
  newsletter: z.infer<typeof subscribersSchema> & { campaigns: z.infer<typeof campaignsSchema> }
}
