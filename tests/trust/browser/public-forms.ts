import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpResponse } from '../http.ts'
import { botToken, expectStatus, Visitor } from '../people.ts'
import type { World } from '../site.ts'

/** A form submitted sooner was not filled in by a person (docs/product-rules.md#card-testing). */
const FORM_MS = 2_100

/** The forms that need no account, submitted as their pages do. `given` overrides single fields. */

export async function sendMessage(visitor: Visitor, given: Record<string, unknown> = {}): Promise<HttpResponse> {
  return visitor.post('/api/contact', {
    name: 'Leela Varghese',
    email: 'leela@example.com',
    subject: 'A question',
    message: 'When is the next clinic day, please?',
    recaptchaToken: await botToken(visitor.world, 'contact_form'),
    ...given,
  })
}

export async function requestSubscription(
  visitor: Visitor,
  email: string,
  given: Record<string, unknown> = {},
): Promise<HttpResponse> {
  return visitor.post('/api/newsletter/subscribe', {
    email,
    source: 'homepage',
    recaptchaToken: await botToken(visitor.world, 'newsletter_subscribe'),
    ...given,
  })
}

/** Returns the URL of the sponsorship's payment page. */
export function orderSponsorship(visitor: Visitor, given: Record<string, unknown> = {}): Promise<HttpResponse> {
  return visitor.post('/api/sponsor/checkout/sponsor', {
    name: 'Leela Varghese',
    email: 'leela@example.com',
    company: 'Kaveri Labs',
    tierName: 'Gold',
    amount: 2_000,
    ...given,
  })
}

/** The token of a sponsor's form, old enough to be accepted. */
export async function openSponsorForm(world: World): Promise<string> {
  const { body } = expectStatus(await new Visitor(world).get('/api/sponsor/form-token'), 200, 'form-token')
  await sleep(FORM_MS)
  return body.formToken as string
}
