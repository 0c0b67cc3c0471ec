import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Daemon, isInstalled, missingSentence, notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const COUNTERPARTS = [
  { program: 'sqlmap', debianPackage: 'sqlmap' },
  { program: 'wapiti', debianPackage: 'wapiti' },
]
const SCAN_SECONDS = 90
const SQLMAP_MS = 120_000

/** Calls that take input of visitors; sqlmap tries every parameter of the query or the JSON body. */
const TARGETS: { path: string; data?: object }[] = [
  { path: '/api/newsletter/campaigns?page=1&year=2025' },
  { path: '/news?category=awards' },
  { path: '/find-a-member?q=rao&page=1' },
  { path: '/api/auth/login', data: { identifier: 'meera.r', password: 'x', recaptchaToken: 'x' } },
  { path: '/api/newsletter/unsubscribe', data: { email: 'a@example.org', recaptchaToken: 'x' } },
]

export const row: TrustRow = {
  id: 'T78',
  promise: 'sqlmap and wapiti find nothing',
  undisturbed: true,
  gate: false,
  target: `sqlmap finds no injectable parameter in ${TARGETS.length} calls; wapiti crawls the site for ${SCAN_SECONDS} s and finds no injection, inclusion, redirect or cross-site scripting; no response is a 500`,
  async run({ world: start }) {
    const absent = notRun(COUNTERPARTS)
    if (absent) return absent
    const faults = new Faults()
    const world = await start({ pages: true })
    const folder = mkdtempSync(join(tmpdir(), 'association-scanners-'))
    const sentences: string[] = []
    const ran: string[] = []
    try {
      if (isInstalled('sqlmap')) {
        sentences.push(await runSqlmap(world, folder, faults))
        ran.push(versionOf('sqlmap', '--version'))
      }
      if (isInstalled('wapiti')) {
        sentences.push(await runWapiti(world, folder, faults))
        ran.push(versionOf('wapiti', '--version'))
      }
      const bug = /unexpected failure[^\n]*/.exec(world.site.program.output)?.[0]
      faults.expect(bug === undefined, 'a fault of the site itself', bug)
      const missing = COUNTERPARTS.filter(({ program }) => !isInstalled(program))
      return {
        passed: faults.count === 0,
        reached: `${sentences.join('; ')}; faults: ${faults}`,
        notes: `ran: ${[...ran, ...(missing.length > 0 ? [missingSentence(missing)] : [])].join(', ')}`,
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function runSqlmap(world: World, folder: string, faults: Faults): Promise<string> {
  let tested = 0
  for (const { path, data } of TARGETS) {
    const sqlmap = new Daemon(
      'sqlmap',
      [
        ['-u', `${world.site.origin}${path}`, '--batch', '--disable-coloring', '--output-dir', folder],
        [
          '--level=1',
          '--risk=1',
          '--technique=BEUS',
          '--threads=4',
          '--ignore-code=400,401,403,404,429',
          '--flush-session',
        ],
        data ? ['--data', JSON.stringify(data), '--headers', 'Content-Type: application/json'] : [],
      ].flat(),
    )
    const isDone = await sqlmap.finish(SQLMAP_MS)
    const tries = [
      ...sqlmap.output.matchAll(
        /testing if .*? parameter '([^']+)' is dynamic|testing for SQL injection on .*? parameter '([^']+)'/g,
      ),
    ]
    tested += new Set(tries.map(([, one, other]) => one ?? other)).size
    faults.expect(isDone, `sqlmap did not end in time: ${path}`)
    faults.expect(tries.length > 0, `sqlmap tried no parameter: ${path}`, sqlmap.output.slice(-200))
    faults.expect(
      !/is vulnerable|identified the following injection/.test(sqlmap.output),
      `sqlmap: ${path}`,
      sqlmap.output.slice(-300),
    )
  }
  return `sqlmap tried ${tested} parameters of ${TARGETS.length} calls`
}

async function runWapiti(world: World, folder: string, faults: Faults): Promise<string> {
  const report = join(folder, 'wapiti.json')
  const wapiti = new Daemon(
    'wapiti',
    [
      ['-u', `${world.site.origin}/`, '--scope', 'domain', '-m', 'sql,xss,exec,file,crlf,redirect,permanentxss,ssrf'],
      ['--max-scan-time', String(SCAN_SECONDS), '--flush-session', '--no-bugreport', '-f', 'json', '-o', report],
      ['--store-session', folder],
    ].flat(),
  )
  const isDone = await wapiti.finish((SCAN_SECONDS + 90) * 1_000)
  faults.expect(isDone, 'wapiti did not end in time')
  let found: { vulnerabilities: Record<string, unknown[]>; infos: { crawled_pages_nbr?: number } }
  try {
    found = JSON.parse(readFileSync(report, 'utf8')) as typeof found
  } catch {
    faults.add('wapiti wrote no report', wapiti.output.slice(-300))
    return 'wapiti wrote no report'
  }
  for (const [kind, all] of Object.entries(found.vulnerabilities))
    faults.expect(all.length === 0, `wapiti: ${kind}`, JSON.stringify(all[0]))
  return `wapiti looked for ${Object.keys(found.vulnerabilities).length} kinds of weaknesses${found.infos.crawled_pages_nbr === undefined ? '' : ` on ${found.infos.crawled_pages_nbr} pages`}`
}
