import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Saved views of the console's lists: a name for filters, order and columns, for one officer or for all. */

/** Of one officer and one list. */
export const OWN_VIEWS_MAX = 20
/** Shared by all officers together, of one list. */
export const SHARED_VIEWS_MAX = 20

const listName = z.string(messages.text.unreadable).check(z.regex(/^[a-z][a-z-]{1,39}$/, messages.text.unreadable))

const savedView = z.object({
  id: z.string(),
  name: z.string(),
  /** As in the query string, without the question mark. */
  query: z.string(),
  isShared: z.boolean(),
  /** Who shared it; null for the caller’s own views. */
  by: z.nullable(z.string()),
  /** Officers delete their own views; the president deletes shared ones too. */
  mayDelete: z.boolean(),
})
export type SavedView = z.infer<typeof savedView>

const viewList = z.object({ views: z.array(savedView) })
const forOfficers = { access: 'officer', permission: 'console.look', reply: viewList } as const

export const listSavedViews = endpoint({
  ...forOfficers,
  name: 'listSavedViews',
  method: 'GET',
  path: '/api/console/views',
  summary: 'List the caller’s saved views of a list and the shared ones, by name',
  query: z.object({ list: listName }),
  failures: [],
})

export const saveView = endpoint({
  ...forOfficers,
  name: 'saveView',
  method: 'POST',
  path: '/api/console/views',
  summary: 'Save a view of a list under a name, replacing the caller’s view of the same name',
  body: z.object({
    list: listName,
    name: lineField('Please give the view a name', 60),
    query: z.string().check(z.maxLength(1_000, messages.text.unreadable)),
    isShared: z.boolean(),
  }),
  status: 201,
  failures: ['VIEWS_FULL'],
})

export const deleteSavedView = endpoint({
  ...forOfficers,
  name: 'deleteSavedView',
  method: 'DELETE',
  path: '/api/console/views/:id',
  summary: 'Delete a saved view; returns those left of its list',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  failures: ['NOT_FOUND'],
})
