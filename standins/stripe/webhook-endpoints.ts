import { newId } from '../ids.ts'
import { endpoint } from './endpoint.ts'
import { noSuch } from './errors.ts'
import { integer, listOf, required, text, url } from './params.ts'
import type { Webhooks } from './webhooks.ts'

type WebhookEndpoint = { id: string; url: string; enabled_events: string[] }

/**
 * Webhooks as an account manages them through the API. Events still go to the addresses that the stand-in was started with, since the site's own address is
 * not always where it listens; all are signed with the one secret that a new webhook tells.
 */
export function createWebhookEndpoints({ secret }: Pick<Webhooks, 'secret'>) {
  const known = new Map<string, WebhookEndpoint>()
  const shown = (one: WebhookEndpoint) => ({
    ...one,
    object: 'webhook_endpoint',
    livemode: false,
    metadata: {},
    status: 'enabled',
  })

  return [
    endpoint(
      'POST',
      '/v1/webhook_endpoints',
      { url: required(url), enabled_events: required(listOf(text)) },
      (_account, { url: address, enabled_events: events }) => {
        const created = { id: newId('we_'), url: address, enabled_events: events }
        known.set(created.id, created)
        // As at Stripe, the only response that tells the secret.
        return { ...shown(created), secret }
      },
    ),
    endpoint('GET', '/v1/webhook_endpoints', { limit: integer }, () => ({
      object: 'list',
      url: '/v1/webhook_endpoints',
      has_more: false,
      data: [...known.values()].map(shown),
    })),
    endpoint('DELETE', '/v1/webhook_endpoints/:id', {}, (_account, _values, { id }) => {
      if (!known.delete(id)) throw noSuch('webhook endpoint', id)
      return { id, object: 'webhook_endpoint', deleted: true }
    }),
  ]
}
