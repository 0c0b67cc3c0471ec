import type { Account, StoredEvent } from './account.ts'
import { endpoint } from './endpoint.ts'
import { noSuch } from './errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from './lists.ts'
import { flag, listOf, text } from './params.ts'
import type { Webhooks } from './webhooks.ts'

const MOST_TYPES = 20

export function createEventEndpoints(webhooks: Webhooks) {
  function shown(event: StoredEvent): unknown {
    return { ...(JSON.parse(event.payload) as object), pending_webhooks: webhooks.undelivered(event.id) }
  }

  return [
    endpoint('GET', '/v1/events/:id', { expand: listOf(text) }, (account: Account, _values, { id }) => {
      const event = account.events.get(id)
      if (!event) throw noSuch('event', id)
      return shown(event)
    }),

    endpoint(
      'GET',
      '/v1/events',
      { ...CREATED_LIST_PARAMS, delivery_success: flag, type: text, types: listOf(text) },
      (account, { created, delivery_success: delivered, type, types, ...paging }) => {
        const page = listPage({
          collection: account.events,
          what: 'event',
          url: '/v1/events',
          paging,
          where: (event) =>
            matchesType(event.type, type) &&
            (types === undefined || types.slice(0, MOST_TYPES).includes(event.type)) &&
            (delivered === undefined || (webhooks.undelivered(event.id) === 0) === delivered) &&
            isWithin(event.created, created),
        })
        return { ...page, data: page.data.map(shown) }
      },
    ),
  ]
}

/** `customer.*` matches all types with that prefix. */
function matchesType(type: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}
