import fc from 'fast-check'
import * as z from 'zod/mini'
import { endpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'

/** Meaningful values, so that requests pass the first validation. */
export interface Known {
  /** By field name; such a field gets one of these half of the time. */
  values: Record<string, readonly string[]>
  tokens: readonly string[]
  cookies: readonly string[]
}

export interface FuzzRequest {
  /** The call that handles it: with another method or a longer path it may differ from the original one. */
  endpoint: Endpoint
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
  /** The body has to be signed as the provider does. */
  signed: boolean
}

export interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  maxLength?: number
}

const hostile = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '%00',
  '../../etc/passwd',
  "' or 1=1 --",
  '{{7*7}}',
  '<script>',
  '-1',
  'NaN',
  '1e999',
  'null',
  '__proto__',
  'a'.repeat(300),
  'é'.repeat(5_000),
  '٠١٢٣',
  '\r\nSet-Cookie: x=1',
  '\u{1f468}\u200d\u{1f469}',
)

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ maxLength: 40 }),
  hostile,
  fc.emailAddress(),
  fc.uuid(),
)
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1e21, 2 ** 53, -1, 0.1))
const junk = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>,
  fc.array(text, { maxLength: 5 }),
)

/** Requests generated from the contract: valid, invalid, and outside any contract. */
export function fuzzRequests(known: Known): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(...endpoints.map((endpoint) => requestsTo(endpoint, known)))
}

function requestsTo(endpoint: Endpoint, known: Known): fc.Arbitrary<FuzzRequest> {
  const method = fc.oneof(
    { weight: 30, arbitrary: fc.constant<string>(endpoint.method) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS') },
  )
  return fc
    .record({
      method,
      query: queryOf(endpoint, known),
      params: paramsOf(endpoint, known),
      headers: headersOf(known),
      body: bodyOf(endpoint, known),
      signed: fc.boolean(),
      tail: fc.oneof(
        { weight: 40, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom('/', '//', '/%00', '/..', '%', '/x') },
      ),
    })
    .map(({ method: chosen, query, params, headers, body, signed, tail }) => {
      const path = `${fillIn(endpoint.path, params)}${tail}`
      return {
        endpoint: endpointAt(chosen, path) ?? endpoint,
        method: chosen,
        path: `${path}${query}`,
        headers,
        body: chosen === 'GET' || chosen === 'HEAD' ? null : body,
        signed: signed && endpoint.access === 'signed',
      }
    })
}

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** Resolves routes as the site does: a path without parameters comes first. @param path without its query */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  const fitting = patterns.filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
  return (fitting.find(({ endpoint }) => endpoint.path === path) ?? fitting[0])?.endpoint
}

function paramsOf(endpoint: Endpoint, known: Known): fc.Arbitrary<Record<string, unknown>> {
  const names = endpoint.params ? Object.keys(schemaOf(endpoint.params).properties ?? {}) : []
  return fc.record(Object.fromEntries(names.map((name) => [name, valueOf(name, known)])))
}

/** An empty segment would be another path. */
function fillIn(path: string, params: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name]).toWellFormed()) || '%20')
}

function queryOf(endpoint: Endpoint, known: Known): fc.Arbitrary<string> {
  const fields = endpoint.query ? Object.keys(schemaOf(endpoint.query).properties ?? {}) : []
  const field = fields.length > 0 ? fc.constantFrom(...fields) : fc.constantFrom('free', 'page', 'q')
  const pair = field.chain((name) =>
    fc.tuple(
      fc.oneof({ weight: 8, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: text }),
      valueOf(name, known),
    ),
  )
  const encode = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())
  return fc.tuple(fc.array(pair, { maxLength: 4 }), fc.boolean()).map(([pairs, raw]) => {
    const written = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
    if (pairs.length === 0) return ''
    return `?${raw ? written.replaceAll('%5B', '[').replaceAll('%5D', ']') : written}`
  })
}

function headersOf({ tokens, cookies }: Known): fc.Arbitrary<Record<string, string>> {
  const visible = text.map((value) => value.replace(/[^\x20-\x7e]/g, '').trim())
  return fc
    .record({
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant('application/json') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'text/plain',
            'application/json; charset=utf-16',
            'multipart/form-data',
            'application/x-www-form-urlencoded',
            '',
          ),
        },
        { weight: 1, arbitrary: visible },
      ),
      authorization: fc.option(
        fc.oneof(
          fc.constantFrom(...tokens).map((token) => `Bearer ${token}`),
          visible,
          visible.map((value) => `Bearer ${value}`),
        ),
      ),
      cookie: fc.option(fc.oneof(fc.constantFrom(...cookies), visible)),
      agent: visible,
      signature: visible,
    })
    .map(({ type, authorization, cookie, agent, signature }) => ({
      ...(type && { 'content-type': type }),
      ...(authorization !== null && { authorization }),
      ...(cookie !== null && { cookie }),
      'user-agent': agent,
      'stripe-signature': signature,
    }))
}

function bodyOf(endpoint: Endpoint, known: Known): fc.Arbitrary<Buffer | null> {
  const shapes = endpoint.body ? shapesOf(schemaOf(endpoint.body)) : [{}]
  const right = fc.oneof(...shapes.map((shape) => objectOf(shape, known)))
  const bent = fc
    .tuple(
      right,
      fc.array(fc.tuple(fc.oneof(text, fc.constantFrom(...shapes.flatMap(Object.keys), 'x')), junk), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.boolean(),
    )
    .map(([object, changes, removes]) => {
      const changed: Record<string, unknown> = { ...object }
      for (const [name, value] of changes) {
        if (removes && name in changed) delete changed[name]
        else changed[name] = value
      }
      return changed
    })
  const event = fc.record(
    {
      id: text,
      type: fc.constantFrom('checkout.session.completed', 'customer.subscription.updated', 'invoice.paid', 'x'),
      livemode: fc.boolean(),
      created: number,
      data: fc.oneof(
        junk,
        fc.record({
          object: fc.oneof(junk, fc.record({ id: text, metadata: fc.oneof(junk, fc.record({ checkout_id: text })) })),
        }),
      ),
    },
    { requiredKeys: [] },
  )
  const asJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '')
  const broken = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        '{',
        '[',
        '"',
        '{"a":',
        'nul',
        '{}{}',
        ' ',
        '\ufeff{}',
        '[['.repeat(2_000),
        '{"a":'.repeat(1_000),
        `"${'x'.repeat(70_000)}"`,
      )
      .map((written) => Buffer.from(written)),
  )
  return fc.oneof(
    { weight: 8, arbitrary: (endpoint.access === 'signed' ? event : right).map(asJson) },
    { weight: 8, arbitrary: bent.map(asJson) },
    { weight: 3, arbitrary: junk.map(asJson) },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: fc.constant(null) },
  )
}

function objectOf(shape: Record<string, JsonSchema>, known: Known): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(Object.keys(shape).map((name) => [name, valueOf(name, known)])), {})
}

function valueOf(name: string, { values }: Known): fc.Arbitrary<unknown> {
  const own = values[name]
  return own && own.length > 0
    ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...own) }, { weight: 1, arbitrary: text })
    : text
}

export function schemaOf(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

export function shapesOf({ properties, anyOf }: JsonSchema): Record<string, JsonSchema>[] {
  return anyOf ? anyOf.flatMap(shapesOf) : [properties ?? {}]
}
