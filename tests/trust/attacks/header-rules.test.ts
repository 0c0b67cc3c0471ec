import { expect, test } from 'vitest'
import { policyFindings } from './header-rules.ts'

const REST = "style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

test.each([
  "script-src 'self' 'sha256-MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' https://www.google.com/recaptcha/",
  "default-src 'none'",
])('the policy "%s" is sound', (scripts) => expect(policyFindings(`${scripts}; ${REST}`)).toEqual([]))

test.each([
  ["script-src 'self' 'unsafe-inline'", 'unsafe-inline'],
  ["script-src 'self' 'unsafe-eval'", 'unsafe-eval'],
  ["script-src 'self' 'unsafe-hashes'", 'unsafe-hashes'],
  ['script-src *', '*'],
  ['script-src https://*.example.org', 'open'],
  ['script-src https:', 'https:'],
  ['script-src data:', 'data:'],
  ['script-src http://example.org', 'http'],
  ['script-src https://203.0.113.7', 'IP'],
  ['script-src https://www.google.com', 'bypass'],
  ['script-src https://cdnjs.cloudflare.com', 'bypass'],
  ["script-src 'none' https://example.org", 'beside others'],
  ['script-src blob:', 'open'],
  ["img-src 'self'", 'script-src'],
])('the policy "%s" is not', (scripts, finding) =>
  expect(policyFindings(`${scripts}; ${REST}`).join('\n')).toContain(finding),
)

test.each(['base-uri', 'object-src', 'form-action', 'frame-ancestors'])('a policy needs %s', (name) => {
  const others = REST.split('; ').filter((directive) => !directive.startsWith(name))
  expect(policyFindings(["script-src 'self'", ...others].join('; ')).join('\n')).toContain(name)
})

test.each(["object-src 'self'", 'base-uri https://example.org'])('the directive "%s" is open', (directive) => {
  const [name = ''] = directive.split(' ')
  const others = REST.split('; ').filter((other) => !other.startsWith(name))
  expect(policyFindings(["script-src 'self'", directive, ...others].join('; ')).join()).toContain(`${name} open`)
})
