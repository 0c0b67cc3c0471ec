import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/all-endpoints.ts'
import { pageData } from '#web/app/page-data.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** What each proxy logs of a path, by the expression in its shipped file. */
const nginx = /"~(\^\(\?<known>.*)" \$known;/.exec(read('deploy/nginx.conf'))?.[1] ?? ''
const caddy = /request>uri regexp "(.*)" "\$1"/.exec(read('deploy/Caddyfile'))?.[1] ?? ''
const logged: [string, (target: string) => string][] = [
  ['nginx', (target) => new RegExp(nginx).exec(target.split('?')[0] ?? '')?.groups?.['known'] ?? ''],
  ['Caddy', (target) => target.replace(new RegExp(caddy), '$1')],
]

const SECRET = '01m7v20c9ksrjpab4aka6vf2q1.Zm9v_SECRET-of-a-guest'
const fill = (path: string) => path.replaceAll(/:\w+/g, SECRET)

describe.each(logged)('the log of %s', (_name, log) => {
  test('contains the known prefix of every page and call, without ids or queries', () => {
    // The proxies do not know the pages that officers add.
    const pages = pageData.map(({ path }) => path).filter((path) => path !== '/:address')
    const paths = [...pages, ...endpoints.map(({ path }) => path)]
    const unknown = paths.filter((path) => log(fill(path)) === '')
    expect(unknown, 'add the first word of these to deploy/nginx.conf and deploy/Caddyfile').toEqual([])
    for (const path of paths) {
      const written = log(`${fill(path)}?token=${SECRET}`)
      expect(path.startsWith(written), `${path} is logged as ${written}`).toBe(true)
    }
  })

  test.each([
    [`/rsvp?token=${SECRET}`, '/rsvp'],
    [`/api/rsvp/certificates/${SECRET}`, '/api/rsvp'],
    [`/newsletter/one-click?token=${SECRET}`, '/newsletter'],
    [`/newsletter/preview/${SECRET}`, '/newsletter'],
    ['/events/dinner-of-leela-varghese.ics', '/events'],
    ['/events.ics', '/events'],
    ['/console/members/01m7v20c9ksrjpab4aka6vf2q1', '/console/members'],
    ['/', '/'],
    ['/?token=x', '/'],
    ['/canary-in-the-path/x', ''],
    ['/rsvp-of-leela', ''],
    ['/leela@example.com', ''],
    ['//rsvp/x', '/'],
  ])('%s: %s', (target, expected) => expect(log(target)).toBe(expected))
})

test('no API path contains a secret: tokens are sent in the body', () => {
  const secretive = endpoints.filter(({ path }) => /:(?:\w*(?:token|secret|nonce|code|link)\w*)/i.test(path))
  expect(secretive.map(({ path }) => path)).toEqual([])
})
