import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { LONGEST_WAIT_MS, LONGEST_WORK_MS } from '#server/media/picture-workshop.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const nginx = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
const caddy = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8')

const MIB = 1024 * 1024
// Caddy means a million by MB and 1024 times 1024 by MiB; nginx has only the second, as m.
const UNITS: Record<string, number> = { m: MIB, MiB: MIB, MB: 1e6 }
const bytes = (match: RegExpExecArray | null): number => Number(match?.[1]) * (UNITS[match?.[2] ?? ''] ?? NaN)

const limits = {
  nginx: {
    uploads: bytes(/location ~ \S+ \{[^}]*client_max_body_size (\d+)(m);/.exec(nginx)),
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
    expect(uploads).toBeGreaterThan(Math.max(...files.map(({ uploadBytes = 0 }) => uploadBytes)))
    expect(rest).toBeGreaterThanOrEqual(512 * 1024)
    expect(rest).toBeLessThanOrEqual(MIB)
  },
)

const UPLOADS = {
  nginx: /location ~ (\^\/api\/console\/\S+) \{[^}]*client_max_body_size/.exec(nginx)?.[1] ?? '',
  Caddy: /@uploads path_regexp (\S+)/.exec(caddy)?.[1] ?? '',
}

test.each(Object.entries(UPLOADS))('%s takes large bodies where a file is sent, and nowhere else', (_name, pattern) => {
  expect(pattern).toMatch(/^\^.*\$$/)
  for (const { method, path, uploadBytes } of endpoints) {
    const takes = new RegExp(pattern).test(path.replaceAll(/:\w+/g, 'a-name.jpg'))
    if (uploadBytes !== undefined) expect(takes, `${method} ${path}`).toBe(true)
    // Another method of the same address reads no large body: the site refuses what it announces.
    else if (takes) expect(endpoints.some((one) => one.path === path && one.uploadBytes !== undefined)).toBe(true)
  }
})

test('both matchers of Caddy mean the same addresses, and nginx keeps no body of theirs', () => {
  expect(caddy).toContain(`@rest not path_regexp ${UPLOADS.Caddy}`)
  expect(UPLOADS.nginx).toBe(UPLOADS.Caddy)
  expect(/location ~ \^\/api\/console[^}]*\}/.exec(nginx)?.[0]).toContain('proxy_request_buffering off;')
})

test.each([
  ['nginx', /location ~\* (\S+) \{\s*return 404;/.exec(nginx)?.[1] ?? ''],
  ['Caddy', /@inside path_regexp \(\?i\)(\S+)\s+respond @inside 404/.exec(caddy)?.[1] ?? ''],
])('%s passes on neither figures nor readiness, in no spelling', (_name, pattern) => {
  for (const path of ['/metrics', '/readyz', '/ReadyZ', '/readyz/', '/METRICS/x']) {
    expect(new RegExp(pattern, 'i').test(path), path).toBe(true)
  }
  for (const path of ['/healthz', '/', '/readyzx', '/news/readyz']) {
    expect(new RegExp(pattern, 'i').test(path), path).toBe(false)
  }
})

test('every log of Caddy leaves out addresses, headers and query strings, also that of failures', () => {
  const logs = [...caddy.matchAll(/^\s*log \{[^}]*\}/gm)].map(([block]) => block)
  expect(logs.length).toBe(2)
  expect(logs.filter((block) => !block.includes('import nobody'))).toEqual([])
  for (const field of ['request>uri regexp', 'request>remote_ip delete', 'request>headers delete'])
    expect(caddy).toContain(field)
})

test('an upload that waits for its turn is answered before the proxy or the browser gives up; whatever else is slow is not waited for as long', () => {
  const waits = [...nginx.matchAll(/location (?:~ \^)?\/api\/console\/[^{]*\{[^}]*proxy_read_timeout (\d+)s;/g)]
  expect(waits).toHaveLength(2)
  for (const [, seconds] of waits) expect(Number(seconds) * 1_000).toBeGreaterThan(LONGEST_WAIT_MS + LONGEST_WORK_MS)
  const [, rest] = /^ {4}proxy_read_timeout (\d+)s;/m.exec(nginx) ?? []
  expect(Number(rest)).toBeLessThanOrEqual(30)
  // Caddy waits as long as it takes unless it is told otherwise.
  expect(caddy).not.toContain('response_header_timeout')
  const browser = readFileSync(join(ROOT, 'src/web/api/call.ts'), 'utf8')
  const [, patience = ''] = /UPLOAD_TIMEOUT_MS = ([\d_]+)/.exec(browser) ?? []
  expect(Number(patience.replaceAll('_', ''))).toBeGreaterThan(LONGEST_WAIT_MS + LONGEST_WORK_MS)
})

test('should memory end while a picture is prepared, its process is lost and the unit goes on', () => {
  expect(readFileSync(join(ROOT, 'deploy/association.service'), 'utf8')).toMatch(/^OOMPolicy=continue$/m)
})
