import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const nginx = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
const caddy = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8')

const CONSOLE = '/api/console/'
const MIB = 1024 * 1024
// Caddy means a million by MB and 1024 times 1024 by MiB; nginx has only the second, as m.
const UNITS: Record<string, number> = { m: MIB, MiB: MIB, MB: 1e6 }
const bytes = (match: RegExpExecArray | null): number => Number(match?.[1]) * (UNITS[match?.[2] ?? ''] ?? NaN)

const limits = {
  nginx: {
    uploads: bytes(/location \/api\/console\/ \{[^}]*client_max_body_size (\d+)(m);/.exec(nginx)),
    rest: bytes(/^ {4}client_max_body_size (\d+)(m);/m.exec(nginx)),
  },
  Caddy: {
    uploads: bytes(/request_body @uploads \{\s*max_size (\d+)(MB|MiB)/.exec(caddy)),
    rest: bytes(/request_body @rest \{\s*max_size (\d+)(MB|MiB)/.exec(caddy)),
  },
}

test.each(Object.entries(limits))(
  '%s lets the largest file of an officer in, and everywhere else little',
  (_name, { uploads, rest }) => {
    const files = endpoints.filter(({ uploadBytes }) => uploadBytes !== undefined)
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter(({ path }) => !path.startsWith(CONSOLE))).toEqual([])
    expect(uploads).toBeGreaterThan(Math.max(...files.map(({ uploadBytes = 0 }) => uploadBytes)))
    expect(rest).toBeGreaterThanOrEqual(512 * 1024)
    expect(rest).toBeLessThanOrEqual(MIB)
  },
)

test('both matchers of Caddy mean the console, one of them everything but it', () => {
  expect(caddy).toContain(`@uploads path ${CONSOLE}*`)
  expect(caddy).toContain(`@rest not path ${CONSOLE}*`)
})

test('every log of Caddy leaves out addresses, headers and query strings, also that of failures', () => {
  const logs = [...caddy.matchAll(/^\s*log \{[^}]*\}/gm)].map(([block]) => block)
  expect(logs.length).toBe(2)
  expect(logs.filter((block) => !block.includes('import nobody'))).toEqual([])
  for (const field of ['request>uri regexp', 'request>remote_ip delete', 'request>headers delete'])
    expect(caddy).toContain(field)
})
