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

// Hosts that serve arbitrary scripts, as listed by csp_evaluator; harmless when restricted to the bot check's path.
const OPEN_HOSTS = [
  'www.google.com',
  'www.gstatic.com',
  'ajax.googleapis.com',
  'cdn.jsdelivr.net',
  'unpkg.com',
  'cdnjs.cloudflare.com',
  'www.googleapis.com',
]

/** The findings that csp_evaluator rates high or medium, as a list of its checks (the tool itself is not on npm under its name). */
export function policyFindings(policy: string): string[] {
  const directives = readPolicy(policy)
  const fallback = directives.get('default-src') ?? []
  const scripts = directives.get('script-src') ?? fallback
  const objects = directives.get('object-src') ?? fallback
  const findings: string[] = []
  const isHashed = scripts.some((source) => /^'(sha(256|384|512)|nonce)-/.test(source))
  if (scripts.length === 0) findings.push('script-src missing')
  if (scripts.includes("'unsafe-inline'") && !isHashed) findings.push("script-src 'unsafe-inline'")
  for (const risky of ["'unsafe-eval'", "'unsafe-hashes'", '*', 'http:', 'https:', 'data:', 'blob:', 'ws:']) {
    if (scripts.includes(risky)) findings.push(`script-src ${risky}`)
  }
  for (const source of scripts) {
    const url = URL.canParse(source) ? new URL(source) : null
    if (source.includes('*')) findings.push(`script-src wildcard ${source}`)
    if (url?.protocol === 'http:') findings.push(`script-src over http ${source}`)
    const host = url?.hostname ?? source.split('/')[0]
    const hasPath = source.replace(/^https?:\/\//, '').includes('/')
    if (OPEN_HOSTS.includes(host ?? '') && !hasPath) findings.push(`script-src open host ${source}`)
    if (/^https?:\/\/\d+\.\d+\.\d+\.\d+/.test(source)) findings.push(`script-src by number ${source}`)
  }
  if (objects.length === 0 || objects.some((source) => source !== "'none'")) findings.push('object-src not none')
  const bases = directives.get('base-uri') ?? []
  if (bases.length === 0 || bases.some((source) => !["'none'", "'self'"].includes(source)))
    findings.push('base-uri open')
  if (!directives.has('frame-ancestors')) findings.push('frame-ancestors missing')
  if (!directives.has('form-action')) findings.push('form-action missing')
  for (const [name, sources] of directives) {
    if (name.endsWith('-src') && sources.length > 1 && sources.includes("'none'"))
      findings.push(`${name}: 'none' beside others`)
  }
  return findings
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
