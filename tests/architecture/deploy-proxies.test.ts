import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/all-endpoints.ts'
import { MAX_QUEUE_MS, MAX_PROCESSING_MS } from '#server/media-store/pictures/picture-queue.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const nginx = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
const caddy = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8')
const haproxy = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8')

const MIB = 1024 * 1024
// In Caddy MB is a million bytes and MiB is 1024 times 1024; nginx has only the latter, as m.
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
  HAProxy: {
    uploads: Number(/deny_status 413 if upload \{ req\.body_size gt (\d+) \}/.exec(haproxy)?.[1]),
    rest: Number(/deny_status 413 if !upload \{ req\.body_size gt (\d+) \}/.exec(haproxy)?.[1]),
  },
}

test.each(Object.entries(limits))(
  '%s accepts the largest file of an officer on upload routes and little elsewhere',
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
  HAProxy: /acl upload path_reg (\S+)/.exec(haproxy)?.[1] ?? '',
}

test.each(Object.entries(UPLOADS))('%s accepts large bodies only on upload routes', (_name, pattern) => {
  expect(pattern).toMatch(/^\^.*\$$/)
  for (const { method, path, uploadBytes } of endpoints) {
    const takes = new RegExp(pattern).test(path.replaceAll(/:\w+/g, 'a-name.jpg'))
    if (uploadBytes !== undefined) expect(takes, `${method} ${path}`).toBe(true)
    // Other methods of the same path read no large body: the site rejects its announced length.
    else if (takes) expect(endpoints.some((one) => one.path === path && one.uploadBytes !== undefined)).toBe(true)
  }
})

test('both matchers of Caddy cover the same routes, and nginx does not buffer their bodies', () => {
  expect(caddy).toContain(`@rest not path_regexp ${UPLOADS.Caddy}`)
  expect(UPLOADS.nginx).toBe(UPLOADS.Caddy)
  expect(/location ~ \^\/api\/console[^}]*\}/.exec(nginx)?.[0]).toContain('proxy_request_buffering off;')
})

test.each([
  ['nginx', /location ~\* (\S+) \{\s*return 404;/.exec(nginx)?.[1] ?? ''],
  ['Caddy', /@inside path_regexp \(\?i\)(\S+)\s+respond @inside 404/.exec(caddy)?.[1] ?? ''],
  ['HAProxy', /path,url_dec -m reg -i (\^\S+) \}/.exec(haproxy)?.[1] ?? ''],
])('%s passes on neither figures nor readiness, in no spelling', (_name, pattern) => {
  for (const path of ['/metrics', '/readyz', '/ReadyZ', '/readyz/', '/METRICS/x']) {
    expect(new RegExp(pattern, 'i').test(path), path).toBe(true)
  }
  for (const path of ['/healthz', '/', '/readyzx', '/news/readyz']) {
    expect(new RegExp(pattern, 'i').test(path), path).toBe(false)
  }
})

test('no log of Caddy contains addresses, headers or query strings, including the error log', () => {
  const logs = [...caddy.matchAll(/^\s*log \{[^}]*\}/gm)].map(([block]) => block)
  expect(logs.length).toBe(2)
  expect(logs.filter((block) => !block.includes('import anonymous'))).toEqual([])
  for (const field of ['request>uri regexp', 'request>remote_ip delete', 'request>headers delete'])
    expect(caddy).toContain(field)
})

test('a waiting upload gets its response before the proxy or the browser times out; other routes have shorter timeouts', () => {
  const waits = [...nginx.matchAll(/location (?:~ \^)?\/api\/console\/[^{]*\{[^}]*proxy_read_timeout (\d+)s;/g)]
  expect(waits).toHaveLength(2)
  for (const [, seconds] of waits) expect(Number(seconds) * 1_000).toBeGreaterThan(MAX_QUEUE_MS + MAX_PROCESSING_MS)
  const [, rest] = /^ {4}proxy_read_timeout (\d+)s;/m.exec(nginx) ?? []
  expect(Number(rest)).toBeLessThanOrEqual(30)
  // Caddy has no timeout unless one is configured.
  expect(caddy).not.toContain('response_header_timeout')
  const browser = readFileSync(join(ROOT, 'src/web/api/call.ts'), 'utf8')
  const [, patience = ''] = /UPLOAD_TIMEOUT_MS = ([\d_]+)/.exec(browser) ?? []
  expect(Number(patience.replaceAll('_', ''))).toBeGreaterThan(MAX_QUEUE_MS + MAX_PROCESSING_MS)
})

test('an upload or a cropped picture may wait as long behind HAProxy; other routes have a shorter timeout', () => {
  const [, seconds, prefixes = ''] = /set-timeout server (\d+)s if \{ path_beg ([^}]+) \}/.exec(haproxy) ?? []
  expect(Number(seconds) * 1_000).toBeGreaterThan(MAX_QUEUE_MS + MAX_PROCESSING_MS)
  const files = endpoints.filter(({ uploadBytes }) => uploadBytes !== undefined)
  const without = files.filter(({ path }) => !prefixes.split(' ').some((prefix) => prefix && path.startsWith(prefix)))
  expect(without.map(({ path }) => path)).toEqual([])
  expect(Number(/^ {4}timeout server (\d+)s$/m.exec(haproxy)?.[1])).toBeLessThanOrEqual(30)
})

test('the log of HAProxy has no path and no address', () => {
  const [, format = ''] = /^ {4}log-format "(.*)"$/m.exec(haproxy) ?? []
  expect(format.split(' ').sort()).toEqual(['%B', '%HM', '%ST', '%Ta', '%s', '%tsc'])
})

test('when memory runs out while a picture is prepared, only its process is killed', () => {
  expect(readFileSync(join(ROOT, 'deploy/association.service'), 'utf8')).toMatch(/^OOMPolicy=continue$/m)
})
