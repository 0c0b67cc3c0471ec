import * as z from 'zod/mini'
import { endpoints } from '#contract/all-endpoints.ts'
import { request } from '#tests/trust/http.ts'
import { percentile, tally } from '#tests/trust/load.ts'
import { botToken, newPerson, Visitor } from '#tests/trust/people.ts'
import { collectRegexes, timeRegexes } from '#tests/trust/attacks/regexes.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const SLOWEST_MS = 50
/** The longest text below the body limit; 100 kB bodies are rejected unread. */
const LONGEST = 60_000
const REFUSED = 100_000
const LONGEST_HEADER = 12_000

const UNITS = ['a', ' ', '0', '-', '.', '@', 'a@', 'a.', '@a.', 'é', '\u0000', '%', '<', "'", '\\', '\t', '\u{1f600}']

export const row: TrustRow = {
  id: 'T37',
  promise: 'ReDoS and CPU',
  gate: false,
  undisturbed: true,
  target:
    'all regexes of browser and server; 100 kB strings in each field: 0 vulnerable or length-capped before; p99 < 50 ms',
  async run({ world: start, quick }) {
    const faults = new Faults()
    const regexes = collectRegexes()
    const timed = await timeRegexes(regexes)
    const vulnerable = timed.filter(({ ms }) => ms > SLOWEST_MS)
    for (const { place, ms, by } of vulnerable) faults.add(`${place} takes ${ms.toFixed(0)} ms`, JSON.stringify(by))

    const world = await start()
    const member = new Visitor(world)
    await member.join(newPerson({ levelKey: 'medical_student' }))
    const authorization = `Bearer ${member.token}`
    const times: { ms: number; what: string }[] = []
    const statuses: number[] = []
    async function send(what: string, asked: Parameters<typeof request>[1]): Promise<void> {
      const response = await request(world.site.origin, asked)
      statuses.push(response.status)
      times.push({ ms: response.ms, what })
      faults.expect(
        response.status >= 400 && response.status < 500 ? true : response.status < 300,
        `${what} answered ${response.status}`,
      )
    }

    for (const { name, method, path, body, query, access } of endpoints) {
      const fields = fieldsOf(body)
      for (const unit of quick ? UNITS.slice(0, 3) : UNITS) {
        for (const field of fields) {
          for (const length of [LONGEST, REFUSED]) {
            const value: Record<string, unknown> = {
              ...rest(name, await freshToken(name)),
              [field]: repeat(unit, length),
            }
            const headers = { 'content-type': 'application/json', ...(access !== 'anyone' && { authorization }) }
            await send(`${name}.${field}`, { method, path, headers, body: JSON.stringify(value) })
          }
        }
        for (const field of fieldsOf(query)) {
          const value = encodeURIComponent(repeat(unit, LONGEST_HEADER / 9))
          await send(`${name}?${field}`, { method, path: `${path}?${field}=${value}&nonce=x` })
        }
        for (const header of [
          'cookie',
          'authorization',
          'user-agent',
          'x-forwarded-for',
          'content-type',
          'accept-encoding',
          'if-none-match',
          'stripe-signature',
        ]) {
          const value = repeat(unit, LONGEST_HEADER).replace(/[^\x20-\x7e]/g, 'x')
          await send(`${name} ${header}`, {
            method,
            path,
            headers: { [header]: header === 'cookie' ? `grant=${value}` : value },
            ...(method === 'POST' && { body: '{}' }),
          })
        }
      }
    }
    async function freshToken(name: string): Promise<string> {
      return name === 'login' || name === 'register'
        ? botToken(world, name === 'login' ? 'login' : 'registration')
        : 'x'
    }
    const all = times.map(({ ms }) => ms)
    const p99 = percentile(all, 0.99)
    faults.expect(p99 < SLOWEST_MS, 'p99', `${p99}`)
    const slowest = times.reduce((worst, one) => (one.ms > worst.ms ? one : worst), { ms: 0, what: '' })
    return {
      passed: faults.count === 0 && regexes.length > 20,
      reached:
        `${regexes.length} regexes, ${vulnerable.length} slow on 100 kB (slowest ${Math.max(...timed.map(({ ms }) => ms)).toFixed(0)} ms); ` +
        `${times.length} requests (${tally(statuses)}): p99 ${p99.toFixed(0)} ms, slowest ${slowest.ms.toFixed(0)} ms (${slowest.what}); faults: ${faults}`,
    }
  },
}

function repeat(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / Buffer.byteLength(JSON.stringify(unit).slice(1, -1)))).slice(0, bytes)
}

function fieldsOf(schema: z.core.$ZodType | undefined): string[] {
  if (!schema) return []
  interface Shape {
    properties?: Record<string, unknown>
    anyOf?: Shape[]
  }
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const shapes = shape.anyOf ?? [shape]
  return [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties ?? {})))]
}

/** The other fields are valid, so that the long one is validated. */
function rest(name: string, recaptchaToken: string): Record<string, unknown> {
  const person = { ...newPerson(), recaptchaToken }
  if (name === 'login') return { identifier: 'unknown', password: 'wrong', recaptchaToken }
  if (name === 'verifyEmail') return {}
  return { ...person, token: 'x', userId: 'y', newPassword: 'long-enough-one', code: '123456' }
}
