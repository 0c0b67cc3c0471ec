import { BenchSite } from './site.ts'
import { createBenchSite } from './site.ts'
import { addMembers } from './members.ts'
import { press } from './load.ts'
import { logInAs } from './log-ins.ts'
import { inParallel } from '#tests/trust/load.ts'
import { Random } from '#tests/trust/random.ts'
import { SITE_NODE_OPTIONS } from '../../tools/local-site.ts'
import { readFileSync, readdirSync, statSync } from 'node:fs'
const dir = process.argv[2]
const env = Object.fromEntries(
  process.argv
    .slice(3)
    .filter((a) => !a.startsWith('--'))
    .map((a) => a.split('=')),
)
SITE_NODE_OPTIONS.push(...process.argv.slice(3).filter((a) => a.startsWith('--')))
const site = await createBenchSite(dir, { environment: env })
await site.startStandins()
await site.start()
await site.stop()
await site.start()
const r = new Random(1)
await addMembers(site.databaseUrl, 1000, r)
const m = (w) => {
  const x = site.program.memory()
  const t = readFileSync(`/proc/${site.program.id}/status`, 'utf8')
  console.log(
    w.padEnd(18),
    x.now.toFixed(0),
    'peak',
    x.peak.toFixed(0),
    'anon',
    (/RssAnon:\s+(\d+)/.exec(t)[1] / 1000) | 0,
  )
}
const wait = (ms) => new Promise((r) => setTimeout(r, ms))
await wait(500)
m('start')
const url = site.url.replace('localhost', '127.0.0.1')
for (const p of ['/', '/become-a-member', '/api/membership-levels', '/no-such-page']) {
  await press({ url: url + p, connections: 64, seconds: 2, headers: { 'Accept-Encoding': 'br' } })
  m(p)
}
await inParallel(
  Array.from({ length: 300 }, () => r.between(0, 999)),
  16,
  (n) => logInAs(site, n),
)
m('log-ins')
await wait(1000)
m('1 s later')
await wait(5000)
m('6 s later')
await site.close()
process.exit()
