import { notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import { startHaproxy } from '#tests/trust/faults/haproxy.ts'
import {
  compareWithDirect,
  forgeAddress,
  PROXIED_SITE_URL,
  sendLarge,
  through,
} from '#tests/trust/faults/proxy-checks.ts'
import { restartUnderLoad } from '#tests/trust/faults/rolling-load.ts'
import type { ShippedProxy } from '#tests/trust/faults/shipped-proxies.ts'
import { until } from '#tests/trust/load.ts'
import { Faults, type TrustContext, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const REQUESTS = 50_000
/** As in production. */
const STOP_GRACE = '5'
const CANARY = 'canary-in-a-query'

export const row: TrustRow = {
  id: 'T82',
  promise: 'HAProxy with the shipped file',
  gate: false,
  undisturbed: true,
  target:
    'in front of two instances: the same statuses and headers as the site itself, none twice, none telling a version; /metrics and /readyz closed in every spelling; bodies over 1 MB refused; a forged X-Forwarded-For gains no attempt; no address and no query string in its log; two instances restarted one by one under load: 0 failed requests of 50,000, every message stored once',
  async run(context) {
    const absent = notRun([{ program: 'haproxy', debianPackage: 'haproxy' }])
    if (absent) return absent
    const faults = new Faults()
    const same = await compareHeaders(context, faults)
    const rolled = await rollingDeploy(context, faults)
    return {
      passed: faults.count === 0,
      reached: `${same}; ${rolled}; faults: ${faults}`,
      notes: `ran: ${versionOf('haproxy', '-v')}; without a certificate, so over http`,
    }
  },
}

async function startBehind(world: World): ReturnType<typeof startHaproxy> {
  const [one, two] = world.sites
  if (!one || !two) throw new Error('Two instances are needed')
  const proxy = await startHaproxy([one.origin, two.origin])
  for (const { origin } of world.sites) await until(() => proxy.isReady(origin))
  return proxy
}

async function compareHeaders({ world: start }: TrustContext, faults: Faults): Promise<string> {
  const world = await start({ instances: 2, siteUrl: PROXIED_SITE_URL, pages: true, rateLimits: 'on' })
  const proxy = await startBehind(world)
  try {
    const same = await compareWithDirect(world, proxy, faults)
    const large = await sendLarge(proxy, faults)
    await forgeAddress(proxy, faults)
    const log = await requireAnonymous(proxy, faults)
    return `${same}; a body of 2 MB ${large}; ${log} lines of its log are anonymous`
  } finally {
    await proxy.stop()
  }
}

async function requireAnonymous(proxy: ShippedProxy, faults: Faults): Promise<number> {
  await through(proxy, { path: `/rsvp?token=${CANARY}` })
  const lines = await until(async () => {
    const written = proxy.logs().trim().split('\n')
    return written.length > 1 && written
  })
  for (const line of lines ?? []) faults.expect(!/127\.0\.0\.1|canary|rsvp/.test(line), 'a visitor in the log', line)
  faults.expect(
    (lines ?? []).some((line) => /^GET 200 \d+ /.test(line)),
    'no request in the log',
  )
  return lines?.length ?? 0
}

async function rollingDeploy({ world: start, count }: TrustContext, faults: Faults): Promise<string> {
  const world = await start({ instances: 2, pages: true, environment: { STOP_GRACE_SECONDS: STOP_GRACE } })
  const proxy = await startBehind(world)
  try {
    return await restartUnderLoad(world, proxy, { requests: count(REQUESTS, 4_000), faults })
  } finally {
    await proxy.stop()
  }
}
