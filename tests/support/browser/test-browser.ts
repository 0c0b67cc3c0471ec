import type { BotCheckAction } from '#contract/limits.ts'
import type { TestApp } from '../test-app.ts'

export interface TestResponse {
  status: number
  headers: Headers
  // Tests assert responses field by field; a precise type would only repeat the contract.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

let registered = 0

/** A visitor's browser as the API sees it: an address, cookies, and a token once logged in. */
export class TestBrowser {
  readonly #app: TestApp
  readonly #from: string
  readonly cookies = new Map<string, string>()
  token: string | null = null

  constructor(app: TestApp, from: string) {
    this.#app = app
    this.#from = from
  }

  /** Calls the API, with `body` as JSON. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const response = await fetch(`${this.#app.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        // The webmaster's requests come from the machine itself.
        ...(path !== '/readyz' && { 'x-forwarded-for': this.#from }),
        'user-agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(this.cookies.size > 0 && { cookie: [...this.cookies].map(([k, v]) => `${k}=${v}`).join('; ') }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      // A file is not JSON, and HEAD has no body.
      body:
        text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : null,
    }
  }

  get(path: string): Promise<TestResponse> {
    return this.call('GET', path)
  }

  post(path: string, body?: unknown): Promise<TestResponse> {
    return this.call('POST', path, body)
  }

  /** A bot check token as the page gets one. */
  async botToken(action: BotCheckAction, score = 0.9): Promise<string> {
    const response = await fetch(`${this.#app.standins.url}/recaptcha/token?action=${action}&score=${score}`)
    return ((await response.json()) as { token: string }).token
  }

  /** Fills in the registration form; `given` overrides single fields. */
  async register(given: Partial<Record<string, unknown>> = {}): Promise<TestResponse & { person: Person }> {
    const number = ++registered
    const person = {
      email: `person${number}@example.com`,
      username: `person${number}`,
      password: 'monsoon-in-macon',
      firstName: 'Meera',
      lastName: 'Raghuvanshi',
      levelKey: 'annual_member',
      ...given,
    }
    const response = await this.post('/api/auth/register', {
      recaptchaToken: await this.botToken('registration'),
      ...person,
    })
    return { ...response, person }
  }

  /** Opens the newest email to an address and returns the link that starts with `path`. */
  async linkInMail(email: string, path: string): Promise<URL> {
    await this.#app.drain()
    const mail = this.#app.standins.mails(email)[0]
    const link = mail?.text?.match(new RegExp(`https?://\\S+${path}\\S*`))?.[0]
    if (!link) throw new Error(`No link to ${path} in an email to ${email}`)
    return new URL(link)
  }

  /** Opens the verification link in this browser, as the page does. */
  async verify(email: string, extra: Record<string, unknown> = {}): Promise<TestResponse> {
    const link = await this.linkInMail(email, '/email-verification')
    return this.post('/api/auth/verify-email', { token: link.searchParams.get('token'), ...extra })
  }

  /** Registers, verifies, and starts the checkout of the chosen level. */
  async registerAndStart(
    given: Partial<Record<string, unknown>> = {},
  ): Promise<{ person: Person; start: TestResponse }> {
    const { person } = await this.register(given)
    await this.verify(person.email)
    const { levelKey, email, firstName, lastName } = person
    return { person, start: await this.post('/api/stripe/checkout/start', { levelKey, email, firstName, lastName }) }
  }

  /** Pays at the hosted page; returns its redirect URL. */
  async pay(sessionUrl: string, card = '4242424242424242'): Promise<URL> {
    const response = await fetch(`${sessionUrl}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card }),
    })
    const { redirectTo, ...rest } = (await response.json()) as { redirectTo?: string }
    if (!redirectTo) throw new Error(`The card was not taken: ${JSON.stringify(rest)}`)
    return new URL(redirectTo)
  }

  /** The first request of the success page. */
  verifySession(successUrl: URL): Promise<TestResponse> {
    return this.get(`/api/stripe/checkout/verify-session${successUrl.search}`)
  }

  /** The complete flow; then this browser holds the member's token. */
  async join(given: Partial<Record<string, unknown>> = {}): Promise<Person> {
    const { person, start } = await this.registerAndStart(given)
    if (start.body.completed) {
      this.token = start.body.token as string
      return person
    }
    const response = await this.verifySession(await this.pay(start.body.sessionUrl as string))
    this.token = response.body.token as string
    await this.#app.drain()
    return person
  }

  async logIn(identifier: string, password = 'monsoon-in-macon'): Promise<TestResponse> {
    const response = await this.post('/api/auth/login', {
      identifier,
      password,
      recaptchaToken: await this.botToken('login'),
    })
    if (response.status === 200) this.token = response.body.token as string
    return response
  }
}

export interface Person {
  email: string
  username: string
  password: string
  firstName: string
  lastName: string
  levelKey: string
}
