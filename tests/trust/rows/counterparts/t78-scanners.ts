import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSqlmap, runWapiti } from '#tests/trust/attacks/scanners.ts'
import { INJECTABLE, startWeakSite, WEAKNESSES } from '#tests/trust/attacks/weak-site.ts'
import { isInstalled, missingSentence, notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const COUNTERPARTS = [
  { program: 'sqlmap', debianPackage: 'sqlmap' },
  { program: 'wapiti', debianPackage: 'wapiti' },
]
const SCAN_SECONDS = 90

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
  target: `sqlmap finds no injectable parameter in ${TARGETS.length} calls; wapiti crawls the site for ${SCAN_SECONDS} s and finds no injection, inclusion, redirect or cross-site scripting; no response is a 500; with the same options both find every weakness planted in pages of this row`,
  async run({ world: start }) {
    const absent = notRun(COUNTERPARTS)
    if (absent) return absent
    const faults = new Faults()
    const world = await start({ pages: true })
    const folder = mkdtempSync(join(tmpdir(), 'association-scanners-'))
    const weak = await startWeakSite()
    const sentences: string[] = []
    const ran: string[] = []
    try {
      if (isInstalled('sqlmap')) {
        sentences.push(await scanForInjection(world, weak.origin, folder, faults))
        ran.push(versionOf('sqlmap', '--version'))
      }
      if (isInstalled('wapiti')) {
        sentences.push(await crawl(world, weak.origin, folder, faults))
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
      weak.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Of our own site nothing may be found; of the weak one everything must be. */
async function scanForInjection(world: World, weakOrigin: string, folder: string, faults: Faults): Promise<string> {
  let tested = 0
  for (const { path, data } of TARGETS) {
    const { tried, finding } = await runSqlmap(`${world.site.origin}${path}`, { data, folder, faults })
    tested += tried
    faults.expect(finding === null, `sqlmap: ${path}`, finding ?? '')
  }
  let found = 0
  for (const { path, data } of INJECTABLE) {
    const { finding } = await runSqlmap(`${weakOrigin}${path}`, { data, folder, faults })
    if (finding === null) faults.add('sqlmap missed a planted injection', `${path} ${JSON.stringify(data)}`)
    else found++
  }
  return `sqlmap tried ${tested} parameters of ${TARGETS.length} calls, and found ${found} of ${INJECTABLE.length} in a weak page of this row`
}

async function crawl(world: World, weakOrigin: string, folder: string, faults: Faults): Promise<string> {
  const ours = await runWapiti(world.site.origin, { folder, seconds: SCAN_SECONDS, faults })
  for (const [kind, all] of ours?.found ?? [])
    faults.expect(all.length === 0, `wapiti: ${kind}`, JSON.stringify(all[0]))
  const weak = await runWapiti(weakOrigin, { folder, seconds: SCAN_SECONDS, faults })
  const missed = WEAKNESSES.filter((kind) => !weak?.found.get(kind)?.length)
  for (const kind of missed) faults.add('wapiti missed a planted weakness', kind)
  const onPages = ours?.pages === undefined ? '' : ` on ${ours.pages} pages`
  return `wapiti looked for ${ours?.found.size ?? 0} kinds of weaknesses${onPages}, and found ${WEAKNESSES.length - missed.length} of ${WEAKNESSES.length} in the weak pages`
}
