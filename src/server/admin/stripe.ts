import { listStripeEvents, replayStripeEvent } from '../features/billing/stripe-event.repository.ts'
import { PaymentProviderError } from '../payments/payment-gateway.ts'
import type { Tools } from './tools.ts'
import { withApp } from './with-app.ts'

/** `stripe sync` and `stripe replay [ID]`. */
export async function stripe([action, id]: readonly string[], tools: Tools): Promise<number> {
  if (action === 'sync') return sync(tools)
  if (action === 'replay') return id ? replay(id, tools) : listRecent(tools)
  tools.say('Say "stripe sync" or "stripe replay [ID]".')
  return 2
}

async function sync(tools: Tools): Promise<number> {
  try {
    const { repaired, unknown } = await withApp(tools, (app) => app.features.reconciler.runAll())
    tools.say(
      repaired === 0
        ? 'Everything was compared, and nothing differed.'
        : `Everything was compared, and ${repaired} ${repaired === 1 ? 'difference was' : 'differences were'} repaired.`,
    )
    if (unknown)
      tools.say(
        `${unknown} ${unknown === 1 ? 'payment is' : 'payments are'} of people not known here, as after a restore: the officers are told which, once.`,
      )
    return 0
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    tools.say(`The card provider could not be asked (${error.message}). Try again later.`)
    return 1
  }
}

async function listRecent({ database: { db }, say }: Tools): Promise<number> {
  const events = await listStripeEvents(db, 50)
  for (const { id, type, objectId, receivedAt, doneAt } of events) {
    say(`${id}  ${new Date(receivedAt).toISOString()}  ${type}  ${objectId}  ${doneAt === null ? 'waiting' : 'done'}`)
  }
  say(events.length === 0 ? 'No notice is kept.' : 'Say "stripe replay ID" to have one handled again.')
  return 0
}

/** Handling it reads the object again, so a notice of last month does what one of today would. */
async function replay(id: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const isKnown = await replayStripeEvent(db, id, clock.now())
  say(isKnown ? 'Put back; the running site handles it.' : `There is no notice ${id}. They are kept for 90 days.`)
  return isKnown ? 0 : 1
}
