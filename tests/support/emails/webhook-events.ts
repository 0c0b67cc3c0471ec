import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '../test-app.ts'

/** A `stripe-signature` for a body, as the provider creates it. */
export function signWebhookEvent(
  body: string,
  { secret = 'whsec_standin', at }: { secret?: string; at: number },
): string {
  const time = Math.floor(at / 1_000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

/** Sends raw bytes to the webhook. */
export async function postWebhookEvent(app: TestApp, body: string, signature?: string) {
  const response = await fetch(`${app.url}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature !== undefined && { 'stripe-signature': signature }) },
    body,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** An event with an object, by default of this account and in test mode. */
export function webhookEventFor(type: string, object: object, changed: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: `evt_${type.replaceAll('.', '_')}_${Math.random().toString(36).slice(2)}`,
    object: 'event',
    api_version: '2026-01-28',
    created: 1_900_000_000,
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object },
    ...changed,
  })
}

const fixtures = JSON.parse(readFileSync(join(import.meta.dirname, 'stripe-fixtures.json'), 'utf8')) as {
  resources: Record<string, Record<string, unknown>>
}

/** Stripe's own example of each object type, by name. */
export const stripeObjects = fixtures.resources
