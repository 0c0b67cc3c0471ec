import { request, type HttpResponse } from './http.ts'
import type { Site, World } from './site.ts'

export interface Person {
  email: string
  username: string
  password: string
  firstName: string
  lastName: string
  levelKey: string
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36'

let count = 0

/** A new person; `given` overrides single fields. */
export function newPerson(given: Partial<Person> = {}): Person {
  const number = ++count
  return {
    email: `person${number}@example.com`,
    username: `person${number}`,
    password: `monsoon-in-macon-${number}`,
    firstName: 'Meera',
    lastName: 'Raghuvanshi',
    levelKey: 'annual_member',
    ...given,
  }
}

/** A bot check token as the page gets one. */
export async function botToken(world: World, action: string, score = 0.9): Promise<string> {
  const response = await request(world.standinsUrl, { path: `/recaptcha/token?action=${action}&score=${score}` })
  return (response.body as { token: string }).token
}

/** A browser as the API sees it: an address, cookies, and a token once logged in. */
export class Visitor {
  readonly world: World
  /** The current instance; may be changed between calls. */
  site: Site
  readonly cookies = new Map<string, string>()
  token: string | null = null
  /** As reported by a trusted proxy; null sends none. */
  address: string | null

  constructor(world: World, { site = world.site, address = null as string | null } = {}) {
    this.world = world
    this.site = site
    this.address = address
  }

  async call(
    method: string,
    path: string,
    value?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    const response = await request(this.site.origin, {
      method,
      path,
      headers: {
        'user-agent': BROWSER,
        ...(this.address && { 'x-forwarded-for': this.address }),
        ...(value !== undefined && { 'content-type': 'application/json' }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(this.cookies.size > 0 && { cookie: [...this.cookies].map(([k, v]) => `${k}=${v}`).join('; ') }),
        ...headers,
      },
      ...(value !== undefined && { body: typeof value === 'string' ? value : JSON.stringify(value) }),
    })
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const pair = cookie.split(';', 1)[0] ?? ''
      const at = pair.indexOf('=')
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }

  get(path: string): Promise<HttpResponse> {
    return this.call('GET', path)
  }

  post(path: string, value?: unknown): Promise<HttpResponse> {
    return this.call('POST', path, value)
  }

  async register(person: Person): Promise<HttpResponse> {
    return this.post('/api/auth/register', {
      ...person,
      recaptchaToken: await botToken(this.world, 'registration'),
    })
  }

  /** Opens the link in the newest verification email in this browser, as the page does. */
  async verify(email: string, more: Record<string, unknown> = {}): Promise<HttpResponse> {
    const link = await this.world.mailbox.link(email, '/email-verification')
    return this.post('/api/auth/verify-email', { token: link.searchParams.get('token'), ...more })
  }

  start({ levelKey, email, firstName, lastName }: Person): Promise<HttpResponse> {
    return this.post('/api/stripe/checkout/start', { levelKey, email, firstName, lastName })
  }

  /** The first request of the success page. @param search the query of the hosted page's redirect */
  verifySession(search: string): Promise<HttpResponse> {
    return this.get(`/api/stripe/checkout/verify-session${search}`)
  }

  /** Registers, verifies and starts the checkout; returns the URL of the hosted page. @throws when a step is refused */
  async toHostedPage(person: Person): Promise<string> {
    expectStatus(await this.register(person), 201, 'register')
    expectStatus(await this.verify(person.email), 200, 'verify-email')
    const started = expectStatus(await this.start(person), 200, 'checkout/start')
    return started.body.sessionUrl as string
  }

  /** Continues until the payment at the hosted page; resolves with the query of its redirect. */
  async pay(person: Person, card?: string): Promise<string> {
    const back = await this.world.provider.pay(await this.toHostedPage(person), card)
    if (!back) throw new Error('The card was not taken')
    return back.search
  }

  /** The complete flow; then this browser holds the member's token. */
  async join(person: Person): Promise<Person> {
    expectStatus(await this.register(person), 201, 'register')
    expectStatus(await this.verify(person.email), 200, 'verify-email')
    const started = expectStatus(await this.start(person), 200, 'checkout/start')
    if (started.body.completed) {
      this.token = started.body.token as string
      return person
    }
    const back = await this.world.provider.pay(started.body.sessionUrl as string)
    if (!back) throw new Error('The card was not taken')
    const verified = expectStatus(await this.verifySession(back.search), 200, 'verify-session')
    this.token = (verified.body.token as string | undefined) ?? null
    if (!this.token) throw new Error(`No token after paying: ${verified.text}`)
    return person
  }

  async logIn(identifier: string, password: string): Promise<HttpResponse> {
    const response = await this.post('/api/auth/login', {
      identifier,
      password,
      recaptchaToken: await botToken(this.world, 'login'),
    })
    if (response.status === 200) this.token = response.body.token as string
    return response
  }

  async forgotPassword(email: string): Promise<HttpResponse> {
    return this.post('/api/email/forgot-password', {
      email,
      recaptchaToken: await botToken(this.world, 'password_reset'),
    })
  }

  async resend(email: string): Promise<HttpResponse> {
    return this.post('/api/auth/resend-verification', {
      email,
      recaptchaToken: await botToken(this.world, 'resend_verification'),
    })
  }
}

export function expectStatus(response: HttpResponse, status: number, what: string): HttpResponse {
  if (response.status !== status) throw new Error(`${what} answered ${response.status}: ${response.text.slice(0, 300)}`)
  return response
}
