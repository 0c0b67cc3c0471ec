import type { TestResponse, TestBrowser } from './browser/test-browser.ts'
import type { TestApp } from './test-app.ts'

export const SPONSOR_PATH = '/api/sponsor/checkout/sponsor'
let sponsors = 0

/** The form of a new sponsor for the Silver tier. */
export function sponsorForm(over: Record<string, unknown> = {}) {
  const email = `sponsor${++sponsors}@example.com`
  return { name: 'Leela Varghese', email, company: 'Kaveri Labs', tierName: 'Silver', amount: 1000, ...over }
}

export async function startSponsoring(
  app: TestApp,
  over: Record<string, unknown> = {},
  visitor: TestBrowser = app.browser(),
): Promise<{ body: ReturnType<typeof sponsorForm>; answer: TestResponse }> {
  const body = sponsorForm(over)
  return { body, answer: await visitor.post(SPONSOR_PATH, body) }
}

/** The provider's sessions for an address. */
export function sponsorSessions(app: TestApp, email: string) {
  return app.standins.stripe.sessions().filter((session) => session.customer_email === email)
}
