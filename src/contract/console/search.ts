import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** The search over all of the console. */

/** The longest search text, and how many results each group has at most. */
export const searchLimits = { text: 100, perGroup: 5 } as const

export const SEARCH_GROUPS = ['members', 'events', 'messages', 'payments', 'content'] as const
export type SearchGroup = (typeof SEARCH_GROUPS)[number]

const searchResult = z.object({
  title: z.string(),
  /** What tells it from others with the same title. */
  detail: z.string(),
  /** Its page in the console. */
  url: z.string(),
})
export type SearchResult = z.infer<typeof searchResult>

export const searchConsole = endpoint({
  name: 'searchConsole',
  method: 'GET',
  path: '/api/console/search',
  access: 'officer',
  permission: 'console.look',
  summary: 'Search members, events, messages, payments and content; each group only with its permission',
  query: z.object({ q: lineField(messages.text.unreadable, searchLimits.text) }),
  reply: z.object({
    groups: z.array(z.object({ group: z.enum(SEARCH_GROUPS), results: z.array(searchResult) })),
  }),
  failures: [],
})
