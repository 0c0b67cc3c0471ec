import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentSecurityPolicy } from './content-security-policy.ts'

const STANDINS = {
  recaptchaScriptUrl: 'http://localhost:3001/recaptcha/api.js',
  mapEmbedUrl: 'http://localhost:3001/map',
}

function policyOf(html: string, over: Partial<Parameters<typeof contentSecurityPolicy>[0]> = {}) {
  const policy = contentSecurityPolicy({
    html,
    siteUrl: 'http://localhost:3000',
    thirdParties: STANDINS,
    imageOrigins: [],
    ...over,
  })
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

test('allows inline scripts and styles of the document by hash, and no others', () => {
  const policy = policyOf(
    `<script>one()</script><script type="module" async="">import "/a.js";\ntwo()</script><script src="/x.js"></script>` +
      `<script type="application/ld+json">{"a":1}</script><noscript><style>\n.a{b:c}\n</style></noscript><script>one()</script>`,
  )
  expect(policy['script-src']).toEqual([
    "'self'",
    hashOf('one()'),
    hashOf('import "/a.js";\ntwo()'),
    'http://localhost:3001/recaptcha/',
  ])
  expect(policy['style-src']).toEqual(["'self'", hashOf('\n.a{b:c}\n')])
  expect(policy['default-src']).toEqual(["'none'"])
})

test('allows only the bot check and the map from other origins, and newsletters from the site', () => {
  const policy = policyOf('')
  expect(policy['connect-src']).toEqual(["'self'", 'http://localhost:3001/recaptcha/'])
  expect(policy['frame-src']).toEqual(["'self'", 'http://localhost:3001', 'http://localhost:3001/recaptcha/'])
  expect(policy['img-src']).toEqual(["'self'", 'data:'])
})

test("allows Google's bot check to load its resources", () => {
  const policy = policyOf('', {
    thirdParties: {
      recaptchaScriptUrl: 'https://www.google.com/recaptcha/api.js',
      mapEmbedUrl: 'https://www.openstreetmap.org/export/embed.html?bbox=1',
    },
  })
  expect(policy['script-src']).toEqual([
    "'self'",
    'https://www.google.com/recaptcha/',
    'https://www.gstatic.com/recaptcha/',
  ])
  expect(policy['frame-src']).toEqual([
    "'self'",
    'https://www.openstreetmap.org',
    'https://www.google.com/recaptcha/',
    'https://recaptcha.google.com/recaptcha/',
  ])
})

test('a page without third parties allows no frames', () => {
  expect(policyOf('', { thirdParties: null })['frame-src']).toEqual(["'none'"])
})

test('only an HTTPS site upgrades insecure requests', () => {
  expect(policyOf('')).not.toHaveProperty('upgrade-insecure-requests')
  expect(policyOf('', { siteUrl: 'https://example.org' })).toHaveProperty('upgrade-insecure-requests')
})

test('a site that is being set up, without providers, allows only itself', () => {
  const policy = policyOf('<p></p>', { thirdParties: { recaptchaScriptUrl: '', mapEmbedUrl: '' } })
  expect([policy['script-src'], policy['connect-src'], policy['frame-src']]).toEqual([
    ["'self'"],
    ["'self'"],
    ["'self'"],
  ])
})
