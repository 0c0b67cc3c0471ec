import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'

const LARGEST_PAGE = 50

/** A newsletter as the archive shows it; instants are ISO 8601 UTC. */
export const campaign = z.object({
  id: z.string(),
  name: z.string(),
  subject: z.string(),
  sentAt: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** False if it must not be shown in a frame. */
  canEmbed: z.boolean(),
  /** Where it can be read; append `.txt` for the text version. null if it is not available. */
  absoluteViewUrl: z.nullable(z.string()),
  previewImageUrl: z.nullable(z.string()),
  previewSnippet: z.string(),
})

export type Campaign = z.infer<typeof campaign>

/** A page of the archive. */
export const campaignPage = z.object({
  campaigns: z.array(campaign),
  /** Number of matching campaigns on all pages. */
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  hasMore: z.boolean(),
})

export type CampaignPage = z.infer<typeof campaignPage>

function wholeNumber({ min, max, otherwise }: { min: number; max: number; otherwise: number }) {
  return z._default(
    z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(min), z.lte(max)),
    otherwise,
  )
}

/** The archive: every campaign sent after the cut-off date, newest first by default. */
export const listCampaigns = endpoint({
  name: 'listCampaigns',
  method: 'GET',
  path: '/api/newsletter/campaigns',
  access: 'anyone',
  summary: 'List sent newsletters',
  query: z.object({
    /** Ignored: there is only one list. */
    listId: z.optional(z.string().check(z.maxLength(100, messages.text.unreadable))),
    enriched: z.optional(z.string().check(z.maxLength(10, messages.text.unreadable))),
    page: wholeNumber({ min: 1, max: 100_000, otherwise: 1 }),
    limit: wholeNumber({ min: 1, max: LARGEST_PAGE, otherwise: limits.campaignsAPage }),
    /** Words, or beginnings of words, that its title, subject or text must contain. */
    q: z._default(z.string().check(z.maxLength(100, messages.text.unreadable)), ''),
    /** On the association's calendar. */
    year: z.optional(
      z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(1900), z.lte(9999)),
    ),
    sort: z._default(z.enum(['newest', 'oldest'], messages.text.unreadable), 'newest'),
  }),
  reply: z.object({ success: z.literal(true), data: campaignPage }),
  failures: [],
})
