import { listStripeEvents, replayStripeEvent } from '#server/features/orders/stripe-event.repository.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import type { Tools } from './tools.ts'
import { withApp } from './with-app.ts'

/** `stripe sync` and `stripe replay [ID]`. */
export async function stripe([action, id]: readonly string[], tools: Tools): Promise<number> {
  if (action === 'sync') return sync(tools)
  if (action === 'replay') return id ? replay(id, tools) : listRecent(tools)
  tools.say('Usage: stripe sync | stripe replay [ID]')
  return 2
}

async function sync(tools: Tools): Promise<number> {
  try {
    const { repaired, unknown } = await withApp(tools, (app) => app.services.reconciler.runAll())
    tools.say(
      repaired === 0
        ? 'Compared everything. No differences found.'
        : `Compared everything. Repaired ${repaired} ${repaired === 1 ? 'difference' : 'differences'}.`,
    )
    if (unknown)
      tools.say(
        `${unknown} ${unknown === 1 ? 'payment is' : 'payments are'} by people missing here, for example after a restore. The officers get one email about them.`,
      )
    return 0
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    tools.say(`The card provider could not be reached (${error.message}). Try again later.`)
    return 1
  }
}

async function listRecent({ database: { db }, say }: Tools): Promise<number> {
  const events = await listStripeEvents(db, 50)
  for (const { id, type, objectId, receivedAt, doneAt } of events) {
    say(`${id}  ${new Date(receivedAt).toISOString()}  ${type}  ${objectId}  ${doneAt === null ? 'waiting' : 'done'}`)
  }
  say(events.length === 0 ? 'There are no stored webhook events.' : 'Run "stripe replay ID" to process one again.')
  return 0
}

/** Processing re-reads the object, so an old event has the same effect as a new one. */
async function replay(id: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const isFound = await replayStripeEvent(db, id, clock.now())
  say(
    isFound
      ? 'Requeued. The running site processes it.'
      : `There is no webhook event ${id}. Events are kept for 90 days.`,
  )
  return isFound ? 0 : 1
}
