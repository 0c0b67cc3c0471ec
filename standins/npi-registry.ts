import type { Faults } from './faults.ts'
import { performWith } from './faults.ts'
import type { Dropped, HttpReply, HttpRequest } from './http.ts'
import { json } from './http.ts'

/** A provider as the registry writes it; only what the site reads. */
export type RegisteredProvider = {
  number: string
  enumeration_type?: 'NPI-1' | 'NPI-2'
  basic: Record<string, string>
  addresses?: { address_purpose: string; city: string; state: string }[]
  taxonomies?: { desc: string; state: string; license: string; primary: boolean }[]
  other_names?: { first_name: string; last_name: string }[]
}

export type NpiRegistry = {
  serve(request: HttpRequest): Promise<HttpReply | Dropped>
  register(provider: RegisteredProvider): void
  /** The queries of all requests, oldest first. */
  queries: string[]
}

/** Implements version 2.1 of the registry's read API. Every number that ends in an even digit has an invented provider. */
export function createNpiRegistry(faults: Faults): NpiRegistry {
  const registered = new Map<string, RegisteredProvider>()
  const queries: string[] = []

  function find({ query }: HttpRequest): HttpReply {
    const number = query.get('number') ?? ''
    if (query.get('version') !== '2.1') return refused('version', 'Unsupported Version')
    if (!/^\d{10}$/.test(number)) return refused('number', 'The NPI number must be 10 digits.')
    const found = registered.get(number) ?? inventedProvider(number)
    return json(200, { result_count: found ? 1 : 0, results: found ? [found] : [] })
  }

  return {
    queries,
    register: (provider) => void registered.set(provider.number, provider),
    serve: async (request) => {
      if (request.method !== 'GET') return { status: 405, headers: { allow: 'GET' } }
      queries.push(String(request.query))
      return performWith({
        request,
        fault: faults.consume('npi'),
        work: () => find(request),
        error: () => json(500, { error: 'Internal error.' }),
        limited: () => json(429, { error: 'Too many requests.' }),
      })
    },
  }
}

/** The registry reports errors with status 200. */
function refused(field: string, description: string): HttpReply {
  return json(200, { Errors: [{ description, field, number: '06' }] })
}

const SPECIALTIES = ['Nephrology', 'Pediatrics', 'Psychiatry', 'Anesthesiology', 'Internal Medicine']

function inventedProvider(number: string): RegisteredProvider | null {
  const digit = Number(number.at(-1))
  if (digit % 2 === 1) return null
  return {
    number,
    enumeration_type: 'NPI-1',
    basic: { first_name: 'SAMPLE', last_name: 'PROVIDER', credential: 'M.D.', status: 'A', last_updated: '2026-02-01' },
    addresses: [{ address_purpose: 'LOCATION', city: 'DECATUR', state: 'GA' }],
    taxonomies: [
      {
        desc: SPECIALTIES[digit / 2] ?? 'Internal Medicine',
        state: digit === 0 ? 'SC' : 'GA',
        license: number.slice(4),
        primary: true,
      },
    ],
    other_names: [],
  }
}
