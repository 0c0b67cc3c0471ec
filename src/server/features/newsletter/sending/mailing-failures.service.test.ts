import type { AppContext } from '#server/app-context.ts'
import { partialContext } from '#tests/support/partial-context.ts'
import { beforeEach, expect, test } from 'vitest'
import type { DeliveryResult } from '#server/emails/bulk-mailer.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { mailingLists, mailingsFor, createCampaign, setSubscribers, startMailing } from '#tests/support/newsletter.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { readSettings } from '#server/features/content-store/content.queries.ts'
import { listDeliveries, saveDeliveryOutcomes } from './delivery.repository.ts'
import { findMailing } from './mailing.queries.ts'
import { finishMailing } from './mailing.repository.ts'
import { startMailingWorker } from './mailing.worker.ts'

const db = useTestDatabase({ seeded: true })
const ID = 'november'
const LATER = NOW + 3_600_000
const clock = { now: () => LATER, close() {} }
const log = { debug() {}, info() {}, warn() {}, error() {} }
let alerts: string[] = []

beforeEach(async () => {
  alerts = []
  await setSubscribers(db(), 3)
  await startMailing(db(), createCampaign({ id: ID }))
  await db().updateTable('mailing').set({ resumeAt: NOW }).execute()
  await db().updateTable('delivery').set({ dueAt: NOW }).execute()
})

/** Sends copies one by one to a mail server that returns these verdicts in order, then accepts. */
async function send(...verdicts: DeliveryResult['kind'][]): Promise<void> {
  const ctx = partialContext({
    db: db(),
    clock,
    log,
    secrets: createSecrets('a secret for tests, and for tests only, of fair length'),
    alerts: { raise: async (kind) => void alerts.push(kind) },
    settings: () => ({ newsletter: { hardBounces: 2, softBounces: 3 } }) as ReturnType<AppContext['settings']>,
    siteUrl: 'http://localhost:3000',
    association: async () => (await readSettings(db())).association,
  })
  const worker = startMailingWorker(ctx, {
    mailer: {
      send: async (emails) => emails.map(() => ({ kind: verdicts.shift() ?? 'accepted', reason: '421' })),
      close() {},
    },
    connections: 1,
    lists: mailingLists(ctx),
    polling: false,
  })
  await worker.drain()
  await worker.stop()
}

test('a successful copy resets the failure count, also within one run', async () => {
  await db().updateTable('mailing').set({ failuresInARow: 5 }).execute()
  await send('accepted', 'unsent')
  expect(await findMailing(db(), ID)).toMatchObject({ failuresInARow: 1, resumeAt: LATER + 15_000 })
  expect(alerts).toEqual([])
})

test('six failures in a row alert the officers', async () => {
  await db().updateTable('mailing').set({ failuresInARow: 5 }).execute()
  await send('unsent')
  expect(await findMailing(db(), ID)).toMatchObject({ failuresInARow: 6, resumeAt: LATER + 480_000 })
  expect(alerts).toEqual(['mailing-waits'])
})

test('copies that are requeued while the mailing is about to finish are sent', async () => {
  const copies = await listDeliveries(db(), ID, ['waiting'])
  await saveDeliveryOutcomes(
    db(),
    copies.map(({ id }) => ({ id, state: 'uncertain', reason: '' })),
    LATER,
  )
  // By now the worker has found nothing left to send.
  expect(await mailingsFor(db(), clock.now).requeueUncertain(ID)).toBe(3)
  expect(await finishMailing(db(), ID, LATER)).toBe(false)
  await send()
  expect(await mailingsFor(db()).status(ID)).toMatchObject({ mailing: { state: 'finished' }, counts: { accepted: 3 } })
})
