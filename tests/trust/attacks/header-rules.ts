import { CspEvaluator } from 'csp_evaluator'
import { Severity, Type } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'

/** A policy's directives by name. */
function readPolicy(policy: string): Map<string, string[]> {
  return new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .filter(([name]) => name)
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  )
}

/** It only mentions these, because some sites need them. */
const NEVER = [Type.SCRIPT_UNSAFE_EVAL, Type.SCRIPT_UNSAFE_HASHES, Type.IP_SOURCE]

const UNWANTED: [directive: string, sources: RegExp][] = [
  ['script-src', /\*|^(?:blob|ws):/],
  ['object-src', /^(?!'none'$)/],
  ['base-uri', /^(?!'(?:none|self)'$)/],
]

/** What csp_evaluator rates high or medium, or calls a syntax error, and what we never want. */
export function policyFindings(policy: string): string[] {
  const directives = readPolicy(policy)
  return [
    ...new CspEvaluator(new CspParser(policy).csp)
      .evaluate()
      .filter(({ severity, type }) => severity <= Severity.MEDIUM || NEVER.includes(type))
      .map(({ directive, value = '', description }) => `${directive} ${value}: ${description}`),
    ...['base-uri', 'form-action', 'frame-ancestors']
      .filter((name) => !directives.has(name))
      .map((name) => `${name} missing`),
    ...UNWANTED.flatMap(([name, pattern]) =>
      (directives.get(name) ?? []).filter((source) => pattern.test(source)).map((source) => `${name} open: ${source}`),
    ),
    ...[...directives]
      .filter(([, sources]) => sources.length > 1 && sources.includes("'none'"))
      .map(([name]) => `${name}: 'none' beside others`),
  ]
}

/**
 * The score of MDN's HTTP Observatory for one page, from its published table: 100, minus penalties, and, from 90 on, plus bonuses. HSTS preloading and
 * subresource integrity are left out: they give bonuses but do not depend on the site alone.
 */
export function observatoryScore(
  headers: Record<string, string | string[] | undefined>,
  cookies: readonly string[],
): number {
  const get = (name: string) => String(headers[name] ?? '')
  const policy = readPolicy(get('content-security-policy'))
  const scripts = policy.get('script-src') ?? policy.get('default-src') ?? []
  const styles = policy.get('style-src') ?? policy.get('default-src') ?? []
  const isNone = policy.get('default-src')?.join(' ') === "'none'"
  const isUnsafe = [...scripts].some((source) =>
    ["'unsafe-inline'", "'unsafe-eval'", 'data:', 'http:', 'https:', '*'].includes(source),
  )
  let penalty = 0
  let bonus = 0
  if (policy.size === 0) penalty += 25
  else if (isUnsafe) penalty += 20
  else if (!styles.includes("'unsafe-inline'")) bonus += isNone ? 10 : 5
  const maxAge = Number(/max-age=(\d+)/.exec(get('strict-transport-security'))?.[1] ?? 0)
  if (maxAge === 0) penalty += 20
  else if (maxAge < 15_552_000) penalty += 10
  if (get('x-content-type-options') !== 'nosniff') penalty += 5
  const framing = policy.get('frame-ancestors')?.join(' ')
  if (framing === "'none'" || framing === "'self'") bonus += 5
  else if (!/^(DENY|SAMEORIGIN)$/i.test(get('x-frame-options'))) penalty += 20
  if (/^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(get('referrer-policy')))
    bonus += 5
  else if (get('referrer-policy') === 'unsafe-url') penalty += 5
  if (/^same-(origin|site)$/.test(get('cross-origin-resource-policy'))) bonus += 10
  if (headers['access-control-allow-origin'] !== undefined) penalty += 50
  if (cookies.length > 0) {
    if (
      cookies.every((cookie) => /; Secure/i.test(cookie) && /; HttpOnly/i.test(cookie) && /; SameSite=/i.test(cookie))
    )
      bonus += 5
    else penalty += 20
  }
  const score = 100 - penalty
  return score >= 90 ? score + bonus : score
}
