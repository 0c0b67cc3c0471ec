import type { BotCheck } from './bot-check.ts'
import type { Clock } from './clock.ts'
import type { FaultKind, Faults, Service } from './faults.ts'
import { MAIL_FAULTS, WEB_FAULTS } from './faults.ts'
import type { WebhookMode, Webhooks } from './stripe/webhooks.ts'
import { WEBHOOK_MODES } from './stripe/webhooks.ts'

/** The body of `POST /control`. */
export type ControlOrder = {
  webhooks?: WebhookMode
  stripe?: FaultKind | 'ok'
  mail?: FaultKind | 'ok'
  bot?: FaultKind | 'ok'
  s3?: FaultKind | 'ok'
  npi?: FaultKind | 'ok'
  /** For the services named in the same order. */
  slowMs?: number
  times?: number
  botScore?: number
  advanceMs?: number
  flushWebhooks?: boolean
  reset?: boolean
}

export type Control = {
  /** In effect when it resolves. @throws UnknownOrder */
  obey(order: unknown): Promise<void>
}

export class UnknownOrder extends Error {}

type ControlParts = {
  faults: Faults
  botCheck: BotCheck
  webhooks: Webhooks
  clock: Clock
  /** Processes renewals and expirations up to the clock. */
  catchUp: () => Promise<void>
}

const SERVICES: Service[] = ['stripe', 'mail', 'bot', 's3', 'npi']
const KNOWN = new Set(['webhooks', ...SERVICES, 'slowMs', 'times', 'botScore', 'advanceMs', 'flushWebhooks', 'reset'])

export function createControl({ faults, botCheck, webhooks, clock, catchUp }: ControlParts): Control {
  async function reset(): Promise<void> {
    faults.clear()
    botCheck.resetScore()
    webhooks.setMode('deliver')
    if (clock.offset() !== 0) await clock.setOffset(0)
  }

  return {
    async obey(given) {
      const order = readOrder(given)
      if (order.reset) await reset()
      if (order.webhooks) webhooks.setMode(order.webhooks)
      for (const service of SERVICES) {
        const kind = order[service]
        if (kind === undefined) continue
        faults.set(service, {
          kind,
          ...(order.slowMs === undefined ? {} : { slowMs: order.slowMs }),
          ...(order.times === undefined ? {} : { times: order.times }),
        })
      }
      if (order.botScore !== undefined) botCheck.setScore(order.botScore)
      if (order.advanceMs !== undefined) {
        await clock.setOffset(clock.offset() + order.advanceMs)
        await catchUp()
        webhooks.poke()
      }
      if (order.flushWebhooks) await webhooks.flush()
    },
  }
}

function readOrder(given: unknown): ControlOrder {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UnknownOrder('The order must be a JSON object.')
  }
  const order = given as Record<string, unknown>
  const names = Object.keys(order)
  if (names.length === 0) throw new UnknownOrder('The order is empty.')
  const unknownKey = names.find((name) => !KNOWN.has(name))
  if (unknownKey !== undefined) throw new UnknownOrder(`Unknown key '${unknownKey}'.`)
  requireOneOf(order, 'webhooks', WEBHOOK_MODES)
  for (const service of SERVICES)
    requireOneOf(order, service, ['ok', ...(service === 'mail' ? MAIL_FAULTS : WEB_FAULTS)])
  requireNumber(order, 'slowMs', (value) => value >= 0)
  requireNumber(order, 'times', (value) => Number.isInteger(value) && value > 0)
  requireNumber(order, 'botScore', (value) => value >= 0 && value <= 1)
  requireNumber(order, 'advanceMs', (value) => Number.isInteger(value))
  requireOneOf(order, 'flushWebhooks', [true])
  requireOneOf(order, 'reset', [true])
  const named = SERVICES.some((service) => order[service] !== undefined)
  if (!named && (order['slowMs'] !== undefined || order['times'] !== undefined)) {
    throw new UnknownOrder("'slowMs' and 'times' require a service.")
  }
  return order
}

function requireOneOf(order: Record<string, unknown>, name: string, allowed: readonly unknown[]): void {
  const value = order[name]
  if (value === undefined || allowed.includes(value)) return
  throw new UnknownOrder(`'${name}' must be one of: ${allowed.join(', ')}.`)
}

function requireNumber(order: Record<string, unknown>, name: string, isRight: (value: number) => boolean): void {
  const value = order[name]
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value) && isRight(value))) return
  throw new UnknownOrder(`Invalid value for '${name}': ${JSON.stringify(value)}.`)
}
