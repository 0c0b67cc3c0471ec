import { missingSentence, notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import {
  compareWithDirect,
  forgeAddress,
  PROXIED_SITE_URL,
  sendLarge,
  through,
} from '#tests/trust/faults/proxy-checks.ts'
import { startShippedProxies, type ShippedProxy } from '#tests/trust/faults/shipped-proxies.ts'
import { type Ask, type HttpResponse } from '#tests/trust/http.ts'
import { percentile, tally } from '#tests/trust/load.ts'
import { botToken } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const COUNTERPARTS = [
  { program: 'nginx', debianPackage: 'nginx' },
  { program: 'caddy', debianPackage: 'caddy' },
]
/** How long the shipped Caddyfile waits for the site, and a little more. */
const LONGEST_MS = 17_000
const RELOADS = 400
const MESSAGE_EVERY = 40
const SUBJECT = 'Sent while the site restarted behind a proxy'

export const row: TrustRow = {
  id: 'T77',
  promise: 'nginx and Caddy with the shipped files',
  gate: false,
  undisturbed: true,
  target:
    'behind each: the same statuses and headers as the site itself, none twice, none telling a version; /metrics and /readyz closed in every spelling; bodies over 1 MB refused; a forged X-Forwarded-For gains no attempt; while the site restarts, Caddy lets every request wait and nginx says 502, no acknowledged message is lost or stored twice',
  async run({ world: start, count }) {
    const absent = notRun(COUNTERPARTS)
    if (absent) return absent
    const faults = new Faults()
    const world = await start({ siteUrl: PROXIED_SITE_URL, pages: true, rateLimits: 'on' })
    const { proxies, missing } = await startShippedProxies(world.site.origin)
    const sentences: string[] = []
    try {
      for (const proxy of proxies) {
        const same = await compareWithDirect(world, proxy, faults)
        const large = await sendLarge(proxy, faults)
        await forgeAddress(proxy, faults)
        const restarted = await restartBehind(world, proxy, { requests: count(RELOADS, 100), faults })
        sentences.push(`${proxy.name}: ${same}; a body of 2 MB ${large}; ${restarted}`)
      }
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.stop()))
    }
    const ran = proxies.map(({ name }) => (name === 'nginx' ? versionOf('nginx', '-v') : versionOf('caddy', 'version')))
    const absentOnes = COUNTERPARTS.filter(({ program }) => missing.some((name) => name.toLowerCase() === program))
    return {
      passed: faults.count === 0,
      reached: `${sentences.join('. ')}; faults: ${faults}`,
      notes: `ran: ${[...ran, ...(absentOnes.length > 0 ? [missingSentence(absentOnes)] : [])].join(', ')}; without certificates, so over http`,
    }
  },
}

async function restartBehind(
  world: World,
  proxy: ShippedProxy,
  { requests, faults }: { requests: number; faults: Faults },
): Promise<string> {
  const statuses: number[] = []
  const times: number[] = []
  let messages = 0
  const subject = `${SUBJECT} (${proxy.name})`
  let isBack = false
  const restarting = (async () => {
    await world.site.program.stop()
    await world.site.start()
    isBack = true
  })()
  // Reported when awaited.
  restarting.catch(() => (isBack = true))
  for (let turn = 0; turn < requests || !isBack; turn++) {
    const startedAt = performance.now()
    const asked: Ask = { path: turn % 2 === 0 ? '/events' : '/api/membership-levels' }
    const { status } = await through(proxy, asked).catch(() => ({ status: 0 }))
    statuses.push(status)
    times.push(performance.now() - startedAt)
    if (turn % MESSAGE_EVERY === 0) {
      const sent = await sendMessage(world, proxy, subject).catch(() => null)
      if (sent?.status === 200) messages++
    }
  }
  await restarting
  const { db } = world.database
  const stored = await db.selectFrom('contactMessage').select('id').where('subject', '=', subject).execute()
  faults.expect(stored.length === messages, `${proxy.name}: messages stored`, `${stored.length} of ${messages}`)
  const slowest = Math.max(...times)
  faults.expect(slowest < LONGEST_MS, `${proxy.name}: a request hung`, `${Math.round(slowest)} ms`)
  for (const status of statuses) faults.expect([200, 502, 503, 0].includes(status), `${proxy.name}: answered ${status}`)
  return `during a restart ${statuses.length} requests (${tally(statuses)}), p99 ${Math.round(percentile(times, 0.99))} ms, ${messages} messages each stored once`
}

async function sendMessage(world: World, proxy: ShippedProxy, subject: string): Promise<HttpResponse> {
  const recaptchaToken = await botToken(world, 'contact_form')
  const message = { name: 'Leela Varghese', email: 'leela@example.com', subject, message: 'When do you open?' }
  return through(proxy, {
    method: 'POST',
    path: '/api/contact',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...message, recaptchaToken }),
  })
}
