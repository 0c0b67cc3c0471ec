import { termUnit } from '#contract/level-terms.ts'
import * as z from 'zod/mini'
import { linkField, ownPathField, pictureAddressField, pictureField, webAddressField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { NEWS_CATEGORIES } from '#contract/public/news.ts'
import type { settingsSchema } from './settings.schema.ts'

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'use a date such as 2026-11-01, in quotes'))
const term = z.string().check(z.regex(/^\d{4}-\d{2}$/, "use a term such as '2025-26', in quotes"))
const artwork = z.string().check(z.regex(/^[a-z0-9-]+$/i, 'name an image of public/art'))

/** The largest sponsorship, in cents. */
const MAX_AMOUNT = 10_000_000

export const levelsSchema = z.array(
  z.object({
    key: z.string().check(z.regex(/^[a-z]+(_[a-z]+)*$/, 'use lowercase letters joined by underscores')),
    name: z.string(),
    description: z.string(),
    unitAmount: z.int().check(z.gte(0), z.lte(MAX_AMOUNT)),
    currency: z.string().check(z.regex(/^[a-z]{3}$/, 'use a code such as usd')),
    interval: z.optional(termUnit),
    intervalCount: z.optional(z.int().check(z.gte(1), z.lte(36))),
  }),
)

export const announcementSchema = z.object({
  title: z.string(),
  text: z.string(),
  linkLabel: z.string(),
  linkPath: ownPathField,
  isOn: z.boolean(),
  endsOn: z.optional(day),
})

export const figuresSchema = z.array(z.object({ value: z.string(), label: z.string(), asOf: day }))

export const pageSchema = z.object({
  title: z.string(),
  description: z.string(),
  version: z.string(),
  updatedOn: day,
  lead: z.optional(z.string()),
  picture: z.optional(pictureField),
  pictureAlt: z.optional(z.string()),
  facts: z._default(z.array(z.object({ label: z.string(), value: z.string() })), []),
  items: z._default(z.array(z.object({ title: z.string(), text: z.string(), spot: artwork })), []),
  more: z._default(z.array(z.object({ label: z.string(), path: ownPathField })), []),
})

export const faqSchema = z.array(z.object({ question: z.string(), answer: z.string() }))

export const leaderBodySchema = z.object({
  body: z.enum(['executive-committee', 'board-directors', 'board-trustees']),
  title: z.string(),
  term,
  lead: z.string(),
  members: z.array(z.object({ name: z.string(), role: z.optional(z.string()), location: z.optional(z.string()) })),
})
export const leadersSchema = z.array(leaderBodySchema)

export const committeesSchema = z.object({
  term,
  committees: z.array(z.object({ id: z.string(), title: z.string(), blurb: z.string(), members: z.array(z.string()) })),
})

export const pastPresidentsSchema = z.array(
  z.object({ name: z.string(), year: z.int().check(z.gte(1987), z.lte(2199)) }),
)

const slug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'use lowercase letters, digits and hyphens, such as gala-under-the-oaks'))
const relativeDays = z
  .string()
  .check(z.regex(/^-?\d{1,4} days?$/, "use a number of days such as '40 days' or '-7 days'"))
const hasDay = (item: { in?: string | undefined; date?: string | undefined }) =>
  (item.in === undefined) !== (item.date === undefined)

export const eventSchema = z
  .object({
    id: slug,
    title: z.string(),
    description: z.string(),
    date: z.optional(z.string()),
    in: z.optional(relativeDays),
    weekday: z.optional(
      z.enum(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'], 'name a weekday'),
    ),
    days: z._default(z.int().check(z.gte(1), z.lte(60)), 1),
    time: z.optional(z.string()),
    location: z.string(),
    address: z.optional(z.string()),
    imageKey: z.union([pictureField, z.array(pictureField).check(z.minLength(1))], messages.address.picture),
    /** An empty string: no button. */
    detailsLink: z._default(z.union([z.literal(''), linkField], messages.address.link), '/events'),
    body: z._default(z.string(), ''),
  })
  .check(z.refine(hasDay, "give either date, such as 'December 12-14, 2026', or in, such as '40 days'"))
export const eventsSchema = z.array(eventSchema)

export const newsItemSchema = z
  .object({
    id: slug,
    title: z.string(),
    date: z.optional(day),
    in: z.optional(relativeDays),
    excerpt: z.string(),
    content: z.string(),
    category: z.enum(NEWS_CATEGORIES, `use one of ${NEWS_CATEGORIES.join(', ')}`),
    author: z.string(),
    imageKey: pictureField,
  })
  .check(z.refine(hasDay, "give either date, such as '2026-11-01', or in, such as '-7 days'"))
export const newsSchema = z.array(newsItemSchema)

export const sponsorsSchema = z.array(
  z.object({
    id: slug,
    name: z.string(),
    logo: pictureField,
    website: z._default(z.nullable(webAddressField), null),
  }),
)

export const tiersSchema = z.array(
  z.object({
    key: slug,
    name: z.string(),
    amountLabel: z.string(),
    unitAmount: z.nullable(z.int().check(z.gte(100), z.lte(MAX_AMOUNT))),
    remarksMinutes: z.nullable(z.int().check(z.gte(0), z.lte(240))),
    reservedTable: z.boolean(),
    benefits: z.array(z.string()),
  }),
)

export const forumTeamSchema = z.array(
  z.object({
    id: slug,
    role: z.string(),
    name: z.string(),
    school: z.string(),
    year: z.string(),
    iconName: slug,
    bio: z.array(z.string()).check(z.minLength(1)),
  }),
)

export type ContentEvent = z.infer<typeof eventsSchema>[number]
export type ContentNewsItem = z.infer<typeof newsSchema>[number]

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

/** The content that every empty database is seeded with. */
export interface ContentFiles {
  settings: z.infer<typeof settingsSchema>
  levels: z.infer<typeof levelsSchema>
  notice: z.infer<typeof announcementSchema>
  figures: z.infer<typeof figuresSchema>
  faq: z.infer<typeof faqSchema>
  tiers: z.infer<typeof tiersSchema>
  pages: (z.infer<typeof pageSchema> & { slug: string; markdown: string })[]
}

/** Sample data; never seeded in production. */
export interface SampleFiles {
  accounts: z.infer<typeof accountsSchema>
  sponsorships: z.infer<typeof sponsorshipsSchema>
  messages: z.infer<typeof messagesSchema>
  leaders: z.infer<typeof leadersSchema>
  committees: z.infer<typeof committeesSchema>
  pastPresidents: z.infer<typeof pastPresidentsSchema>
  events: z.infer<typeof eventsSchema>
  news: z.infer<typeof newsSchema>
  sponsors: z.infer<typeof sponsorsSchema>
  forumTeam: z.infer<typeof forumTeamSchema>
  newsletter: z.infer<typeof subscribersSchema> & { campaigns: z.infer<typeof campaignsSchema> }
}
