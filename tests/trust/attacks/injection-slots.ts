import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import { schemaOf, shapesOf } from './fuzz.ts'
import { request, type HttpResponse } from '../http.ts'
import { botToken, type Visitor } from '../people.ts'
import { WEBHOOK_PATH } from '../provider.ts'
import type { World } from '../site.ts'

/** One input position of one call. */
export interface Slot {
  /** `login body identifier`. */
  name: string
  /** Slots of one group affect each other's responses: they are tested sequentially. */
  group: string
  /** A valid value that passes the first validation. */
  usual: string
  where: 'body' | 'query' | 'path' | 'header'
  /** Only text is allowed, so that anything else must be rejected. */
  onlyText: boolean
  send(value: unknown): Promise<HttpResponse>
  /** The same call with another query, as written in the URL. */
  sendQuery?(query: string): Promise<HttpResponse>
}

/** The attacker: a member with one browser for changes, one for reading, and the providers' keys. */
export interface Attackers {
  world: World
  writer: Visitor
  reader: Visitor
  /** Values of existing records, by field name. */
  values: Record<string, string>
  bounceKey: string
}

const ACTIONS: Record<string, string> = {
  register: 'registration',
  login: 'login',
  forgotPassword: 'password_reset',
  resendVerification: 'resend_verification',
  sendMessage: 'contact_form',
  subscribe: 'newsletter_subscribe',
  startSponsorship: 'sponsor_checkout',
}

// Calls that end sessions are tested without one: only their headers matter.
const WITHOUT_SESSION = new Set(['signOutEverywhere', 'refresh'])

/** Headers to omit: a token is requested fresh, and validators would have to match. */
const LEFT_OUT = /^(?:recaptchaToken$|seen\.)/

const HEADERS = ['user-agent', 'x-forwarded-for', 'referer', 'accept-language', 'if-none-match', 'cookie'] as const

/** Every parameter of every call of the contract, and of other URLs that read one. */
export function slotsOf(attackers: Attackers): Slot[] {
  return [
    ...endpoints.flatMap((endpoint) => [
      ...bodySlots(endpoint, attackers),
      ...querySlots(endpoint, attackers),
      ...pathSlots(endpoint, attackers),
      ...headerSlots(endpoint, attackers),
    ]),
    ...signedSlots(attackers),
    ...pageSlots(attackers),
  ]
}

interface Parts {
  body?: Record<string, unknown>
  query?: Record<string, string>
  params?: Record<string, string>
  headers?: Record<string, string>
  /** Used instead of `query`, as written in the URL. */
  rawQuery?: string
}

async function call(endpoint: Endpoint, { world, reader, writer }: Attackers, parts: Parts): Promise<HttpResponse> {
  const visitor = endpoint.method === 'GET' ? reader : writer
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts.params?.[name] ?? ''))
  const query = parts.rawQuery ?? new URLSearchParams(parts.query).toString()
  const body = parts.body && { ...parts.body }
  const action = ACTIONS[endpoint.name]
  if (body && action && body['recaptchaToken'] === undefined) body['recaptchaToken'] = await botToken(world, action)
  const isMember = endpoint.access === 'member' && !WITHOUT_SESSION.has(endpoint.name)
  return request(world.site.origin, {
    method: endpoint.method,
    path: query ? `${path}?${query}` : path,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(isMember && { authorization: `Bearer ${visitor.token}` }),
      ...parts.headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Dotted paths of the texts in a body: `email`, `name.first`. */
function fieldsOf(properties: object, prefix = ''): { name: string; onlyText: boolean }[] {
  return Object.entries(properties).flatMap(([name, schema]: [string, ReturnType<typeof schemaOf>]) =>
    schema.properties
      ? fieldsOf(schema.properties, `${prefix}${name}.`)
      : [{ name: prefix + name, onlyText: schema.type === 'string' }],
  )
}

function bodySlots(endpoint: Endpoint, attackers: Attackers): Slot[] {
  if (!endpoint.body) return []
  return shapesOf(schemaOf(endpoint.body)).flatMap((shape) => {
    const fields = fieldsOf(shape)
    return fields.map(({ name, onlyText }) => ({
      name: `${endpoint.name} body ${name}`,
      group: endpoint.name,
      usual: usualOf(name, attackers),
      where: 'body' as const,
      onlyText,
      send(value) {
        const body = {}
        for (const field of fields) {
          if (field.name !== name && LEFT_OUT.test(field.name)) continue
          set(body, field.name, field.name === name ? value : usualOf(field.name, attackers))
        }
        return call(endpoint, attackers, { body })
      },
    }))
  })
}

function querySlots(endpoint: Endpoint, attackers: Attackers): Slot[] {
  const fields = endpoint.query ? fieldsOf(schemaOf(endpoint.query).properties ?? {}) : []
  const usual = Object.fromEntries(fields.map(({ name }) => [name, usualOf(name, attackers)]))
  return fields.map(({ name }) => ({
    name: `${endpoint.name} query ${name}`,
    group: `${endpoint.name} ${name}`,
    usual: usualOf(name, attackers),
    where: 'query' as const,
    onlyText: true,
    send: (value) => call(endpoint, attackers, { query: { ...usual, [name]: String(value) } }),
    sendQuery: (rawQuery) => call(endpoint, attackers, { rawQuery }),
  }))
}

function pathSlots(endpoint: Endpoint, attackers: Attackers): Slot[] {
  const fields = endpoint.params ? fieldsOf(schemaOf(endpoint.params).properties ?? {}) : []
  const usual = Object.fromEntries(fields.map(({ name }) => [name, usualOf(name, attackers)]))
  return fields.map(({ name }) => ({
    name: `${endpoint.name} path ${name}`,
    group: `${endpoint.name} ${name}`,
    usual: usualOf(name, attackers),
    where: 'path' as const,
    onlyText: true,
    send: (value) => call(endpoint, attackers, { params: { ...usual, [name]: String(value).toWellFormed() } }),
  }))
}

function headerSlots(endpoint: Endpoint, attackers: Attackers): Slot[] {
  const token = attackers.reader.token ?? ''
  const names = endpoint.access === 'anyone' ? HEADERS : ([...HEADERS, 'authorization'] as const)
  const usual: Record<string, string> = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0',
    'x-forwarded-for': '198.51.100.7',
    referer: attackers.world.siteUrl,
    'accept-language': 'en-US',
    'if-none-match': '"abc"',
    cookie: [...attackers.reader.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    authorization: `Bearer ${token}`,
  }
  const fields = endpoint.body ? fieldsOf(shapesOf(schemaOf(endpoint.body))[0] ?? {}) : null
  return names.map((header) => ({
    name: `${endpoint.name} header ${header}`,
    group: endpoint.name,
    usual: usual[header] ?? '',
    where: 'header' as const,
    onlyText: true,
    send(value) {
      const body = {}
      for (const { name } of fields ?? []) if (!LEFT_OUT.test(name)) set(body, name, usualOf(name, attackers))
      return call(endpoint, attackers, { ...(fields && { body }), headers: { [header]: String(value) } })
    },
  }))
}

/** Webhook events of the providers, correctly signed, with attacker-controlled text. */
function signedSlots({ world, bounceKey }: Attackers): Slot[] {
  const notice = {
    id: 'evt_injected',
    type: 'invoice.paid',
    data: { object: { id: 'in_injected', customer: 'cus_1' } },
  }
  const fields = ['id', 'type', 'data.object.id', 'data.object.customer', 'data.object.metadata.checkout_id']
  const stripe = fields.map((field) => ({
    name: `stripeWebhook body ${field}`,
    group: 'stripeWebhook',
    usual: 'evt_injected',
    where: 'body' as const,
    onlyText: false,
    send(value: unknown) {
      const event = structuredClone({ object: 'event', livemode: false, created: 1, ...notice })
      set(event, field, value)
      return world.provider.deliver(world.site.origin, world.provider.sign(event))
    },
  }))
  const bounces = ['message/rfc822', 'application/json'].map((type) => ({
    name: `mailBounces body as ${type}`,
    group: 'mailBounces',
    usual: 'nobody@example.net',
    where: 'body' as const,
    onlyText: false,
    send(value: unknown) {
      const word = typeof value === 'string' ? value : JSON.stringify(value)
      return request(world.site.origin, {
        method: 'POST',
        path: '/api/newsletter/bounces',
        headers: { authorization: `Bearer ${bounceKey}`, 'content-type': type },
        body:
          type === 'application/json'
            ? JSON.stringify([{ email: value, event: 'bounce', type: value }])
            : `Content-Type: text/plain\r\nFinal-Recipient: rfc822; ${word}\r\nStatus: 5.1.1\r\n\r\n${word}`,
      })
    },
  }))
  const signature: Slot = {
    name: 'stripeWebhook header stripe-signature',
    group: 'stripeWebhook',
    usual: 't=1,v1=',
    where: 'header',
    onlyText: true,
    send: (value) =>
      request(world.site.origin, {
        method: 'POST',
        path: WEBHOOK_PATH,
        headers: { 'stripe-signature': String(value), 'content-type': 'application/json' },
        body: '{}',
      }),
  }
  return [...stripe, ...bounces, signature]
}

/** Routes outside the contract that read text from the URL. */
function pageSlots({ world, values }: Attackers): Slot[] {
  const ask_ = (path: string, method = 'GET'): Promise<HttpResponse> => request(world.site.origin, { method, path })
  const pages: [name: string, usual: string, path: (value: string) => string, method?: string][] = [
    ['view of a newsletter', values['campaign'] ?? '', (value) => `/newsletter/view/${value}`],
    ['text of a newsletter', values['campaign'] ?? '', (value) => `/newsletter/view/${value}.txt`],
    ['one-click', 'x', (value) => `/newsletter/one-click?token=${value}`, 'POST'],
    ['page of an event', values['event'] ?? '', (value) => `/events/${value}`],
    ['page of the news', 'x', (value) => `/news?category=${value}`],
    ['any path', 'about', (value) => `/${value}`],
  ]
  return pages.map(([name, usual, path, method]) => ({
    name,
    group: name,
    usual,
    where: 'path',
    onlyText: true,
    send: (value) => ask_(path(encodeURIComponent(String(value).toWellFormed())), method),
  }))
}

function usualOf(field: string, { values }: Attackers): string {
  return values[field] ?? values[field.split('.').at(-1) ?? ''] ?? 'x'
}

function set(object: object, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) Reflect.set(object, first, value)
  else {
    if (typeof Reflect.get(object, first) !== 'object') Reflect.set(object, first, {})
    set(Reflect.get(object, first) as object, rest.join('.'), value)
  }
}
