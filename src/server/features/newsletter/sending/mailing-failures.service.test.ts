import { beforeEach, expect, test } from 'vitest'
import type { Verdict } from '#server/mail/bulk-mailer.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { mailingsOf, makeCampaign, setReaders, startMailing } from '#tests/support/newsletter.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { readSettings } from '../association/content.repository.ts'
import { listDeliveries, settleDeliveries } from './delivery.repository.ts'
import { findMailing, finishMailing } from './mailing.repository.ts'
import { startMailingWorker } from './mailing.worker.ts'

const db = useTestDatabase({ seeded: true })
const ID = 'november'
const LATER = NOW + 3_600_000
const clock = { now: () => LATER, close() {} }
const log = { debug() {}, info() {}, warn() {}, error() {} }
let alarms: string[] = []

beforeEach(async () => {
  alarms = []
  await setReaders(db(), 3)
  await startMailing(db(), makeCampaign({ id: ID }))
  await db().updateTable('mailing').set({ resume_at: NOW }).execute()
  await db().updateTable('delivery').set({ due_at: NOW }).execute()
})

/** Sends one copy after another to a mail server that says these in turn, and in the end accepts. */
async function send(...said: Verdict['kind'][]): Promise<void> {
  const worker = startMailingWorker({
    db: db(),
    clock,
    log,
    secrets: createSecrets('a secret for tests, and for tests only, of fair length'),
    alarms: { raise: async (kind) => void alarms.push(kind) },
    mailer: {
      send: async (letters) => letters.map(() => ({ kind: said.shift() ?? 'accepted', reason: '421' })),
      close() {},
    },
    connections: 1,
    bounces: { record: async () => {} },
    siteUrl: 'http://localhost:3000',
    association: async () => (await readSettings(db())).association,
    polling: false,
  })
  await worker.drain()
  await worker.stop()
}

test('failures in a row are over once a copy goes through, also within one run', async () => {
  await db().updateTable('mailing').set({ failures_in_a_row: 5 }).execute()
  await send('accepted', 'unsent')
  expect(await findMailing(db(), ID)).toMatchObject({ failuresInARow: 1, resumeAt: LATER + 15_000 })
  expect(alarms).toEqual([])
})

test('six failures in a row ring', async () => {
  await db().updateTable('mailing').set({ failures_in_a_row: 5 }).execute()
  await send('unsent')
  expect(await findMailing(db(), ID)).toMatchObject({ failuresInARow: 6, resumeAt: LATER + 480_000 })
  expect(alarms).toEqual(['mailing-waits'])
})

test('copies that are sent again as the mailing is about to be finished are sent', async () => {
  const copies = await listDeliveries(db(), ID, ['waiting'])
  await settleDeliveries(
    db(),
    copies.map(({ id }) => ({ id, state: 'uncertain', reason: '' })),
    LATER,
  )
  // The worker has seen that nothing is left to send.
  expect(await mailingsOf(db(), clock.now).sendUncertainAgain(ID)).toBe(3)
  expect(await finishMailing(db(), ID, LATER)).toBe(false)
  await send()
  expect(await mailingsOf(db()).status(ID)).toMatchObject({ mailing: { state: 'finished' }, counts: { accepted: 3 } })
})
