import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './http.ts'
import { botToken, expectStatus, Visitor } from './people.ts'
import type { World } from './site.ts'

/** A form sent sooner was not filled in by a person (docs/product-rules.md#card-testing). */
const FORM_MS = 2_100

/** The forms that need no account, sent as their pages send them. `given` overrides single fields. */

export async function sendMessage(visitor: Visitor, given: Record<string, unknown> = {}): Promise<Answer> {
  return visitor.post('/api/contact', {
    name: 'Leela Varghese',
    email: 'leela@example.com',
    subject: 'A question',
    message: 'When is the next clinic day, please?',
    recaptchaToken: await botToken(visitor.world, 'contact_form'),
    ...given,
  })
}

export async function askForNewsletter(
  visitor: Visitor,
  email: string,
  given: Record<string, unknown> = {},
): Promise<Answer> {
  return visitor.post('/api/newsletter/subscribe', {
    email,
    source: 'homepage',
    recaptchaToken: await botToken(visitor.world, 'newsletter_subscribe'),
    ...given,
  })
}

/** Answers with the address where the sponsorship is paid. */
export function orderSponsorship(visitor: Visitor, given: Record<string, unknown> = {}): Promise<Answer> {
  return visitor.post('/api/sponsor/checkout/sponsor', {
    name: 'Leela Varghese',
    email: 'leela@example.com',
    company: 'Kaveri Labs',
    tierName: 'Gold',
    amount: 2_000,
    ...given,
  })
}

/** The token a sponsor's form is given when it opens, old enough to be sent. */
export async function openSponsorForm(world: World): Promise<string> {
  const { body } = expectStatus(await new Visitor(world).get('/api/sponsor/form-token'), 200, 'form-token')
  await sleep(FORM_MS)
  return body.formToken as string
}
