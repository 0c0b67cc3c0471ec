import { request } from '../http.ts'
import { inParallel, percentile, tally, until } from '../load.ts'
import { Visitor } from '../people.ts'
import { sendMessage } from '../browser/public-forms.ts'
import type { Faults } from '../row.ts'
import type { World } from '../site.ts'

const CONNECTIONS = 64
/** One of every hundred requests is a message from /contact, which must be stored once. */
const MESSAGE_EVERY = 100
const SUBJECT = 'Sent while the site was renewed'
const ADDRESSES = [
  '/',
  '/events',
  '/about',
  '/news',
  '/become-a-member',
  '/api/membership-levels',
  '/api/newsletter/campaigns',
]

/** In front of the instances. */
export interface LoadBalancer {
  origin: string
  /** Whether it sends requests to an instance. */
  isReady(origin: string): Promise<boolean>
  /** What it sent to another instance, in words. */
  sentOn(): Promise<string>
}

/** Restarts one instance after the other during the load, which must not fail once. */
export async function restartUnderLoad(
  world: World,
  balancer: LoadBalancer,
  { requests, faults }: { requests: number; faults: Faults },
): Promise<string> {
  let isOver = false
  let restarts = 0
  async function restartForEver(): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const site = world.siteOf(turn)
      await site.program.stop()
      await site.start()
      faults.expect(
        await until(() => balancer.isReady(site.origin), { withinMs: 10_000 }).then(Boolean),
        'an instance did not come back',
      )
      restarts++
    }
  }
  const renewing = restartForEver()
  // Reported when awaited.
  renewing.catch(() => (isOver = true))
  const startedAt = performance.now()
  const loaded = await load(world, balancer.origin, {
    requests,
    mayEnd: () => isOver || restarts >= world.sites.length,
    faults,
  })
  const seconds = (performance.now() - startedAt) / 1_000
  isOver = true
  await renewing
  const { db } = world.database
  const stored = await db.selectFrom('contactMessage').select('id').where('subject', '=', SUBJECT).execute()
  faults.expect(stored.length === loaded.messages, 'messages stored', `${stored.length} of ${loaded.messages}`)
  return (
    `${loaded.times.length} requests in ${seconds.toFixed(0)} s over ${restarts} restarts: ${loaded.failed} failed (${loaded.statuses}), ` +
    `p99 ${percentile(loaded.times, 0.99).toFixed(0)} ms, slowest ${Math.max(...loaded.times).toFixed(0)} ms, ` +
    `${loaded.messages} messages each stored once; sent on by the proxy: ${await balancer.sentOn()}`
  )
}

/** This many requests, and more until every instance was restarted. */
async function load(
  world: World,
  origin: string,
  { requests, mayEnd, faults }: { requests: number; mayEnd: () => boolean; faults: Faults },
) {
  const times: number[] = []
  const statuses: (number | string)[] = []
  let messages = 0
  const throughProxy = { origin } as World['site']
  let begun = 0
  async function askOnce(index: number): Promise<void> {
    const isMessage = index % MESSAGE_EVERY === 0
    const path = ADDRESSES[index % ADDRESSES.length] ?? '/'
    const asked = isMessage
      ? sendMessage(new Visitor(world, { site: throughProxy }), { subject: SUBJECT })
      : request(origin, { path })
    const response = await asked.catch((error: Error) => ({ status: error.message, ms: 0, text: error.message }))
    times.push(response.ms)
    statuses.push(response.status)
    if (isMessage && response.status === 200) messages++
    faults.expect(response.status === 200, `${isMessage ? 'message' : path} answered ${response.status}`, response.text)
  }
  await inParallel(Array.from({ length: CONNECTIONS }), CONNECTIONS, async () => {
    while (begun < requests || !mayEnd()) await askOnce(begun++)
  })
  return { times, messages, statuses: tally(statuses), failed: statuses.filter((status) => status !== 200).length }
}
