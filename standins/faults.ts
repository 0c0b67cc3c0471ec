import { setTimeout as sleep } from 'node:timers/promises'
import type { Socket } from 'node:net'
import type { Dropped, HttpReply, HttpRequest } from './http.ts'
import { page } from './http.ts'

export const WEB_FAULTS = ['refuse', 'slow', 'error', 'lostReply', 'reset', 'limited', 'garbage', 'blackhole'] as const
export const MAIL_FAULTS = [...WEB_FAULTS, 'temporary', 'permanent'] as const

export type Service = 'stripe' | 'mail' | 'bot' | 's3' | 'npi'
export type FaultKind = (typeof MAIL_FAULTS)[number]
export type Fault = { kind: FaultKind; slowMs: number }

type FaultSetting = { kind: FaultKind | 'ok'; slowMs?: number; times?: number }

export type Faults = {
  set(service: Service, setting: FaultSetting): void
  /** Returns the fault for the next request and counts it against `times`; null for none. */
  consume(service: Service): Fault | null
  /** Like `take`, without counting. */
  peek(service: Service): Fault | null
  clear(): void
}

const DEFAULT_SLOW_MS = 3000
/** How long a black hole keeps a connection open without a response. */
export const BLACKHOLE_MS = 30_000

export function createFaults(onChange: (service: Service) => void = () => {}): Faults {
  const active = new Map<Service, Fault & { left: number }>()

  function peek(service: Service): Fault | null {
    const fault = active.get(service)
    return fault ? { kind: fault.kind, slowMs: fault.slowMs } : null
  }

  return {
    set(service, { kind, slowMs = DEFAULT_SLOW_MS, times = Infinity }) {
      if (kind === 'ok') active.delete(service)
      else active.set(service, { kind, slowMs, left: times })
      onChange(service)
    },
    consume(service) {
      const count = peek(service)
      const fault = active.get(service)
      if (fault && --fault.left <= 0) active.delete(service)
      return count
    },
    peek,
    clear() {
      const services = [...active.keys()]
      active.clear()
      services.forEach(onChange)
    },
  }
}

type Performance = {
  request: HttpRequest
  fault: Fault | null
  work: () => HttpReply | Dropped | Promise<HttpReply | Dropped>
  error: () => HttpReply
  limited: () => HttpReply
}

/** Responds to one request according to the fault; only `slow` and `lostReply` do the work. */
export async function performWith({ request, fault, work, error, limited }: Performance): Promise<HttpReply | Dropped> {
  switch (fault?.kind) {
    case undefined:
      return work()
    case 'slow':
      await sleep(fault.slowMs)
      return work()
    case 'lostReply':
      await work()
      return drop(request.socket)
    case 'refuse':
      return drop(request.socket)
    case 'reset':
      request.socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n{"id": "')
      await sleep(5)
      request.socket.resetAndDestroy()
      return { dropped: true }
    case 'blackhole':
      await untilClosed(request.socket, BLACKHOLE_MS)
      return drop(request.socket)
    case 'limited':
      return limited()
    case 'garbage':
      return page(200, '<!doctype html><title>Welcome</title><p>You are connected to the hotel network.</p>')
    default:
      return error()
  }
}

function drop(socket: Socket): Dropped {
  socket.destroy()
  return { dropped: true }
}

function untilClosed(socket: Socket, longestMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestMs)
    timer.unref()
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
