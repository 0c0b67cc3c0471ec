import { Socket } from 'node:net'

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/i

type Target = { host?: string | undefined; path?: string | undefined }

/**
 * From now on this process opens TCP connections to this machine only; every other one fails with ERR_NOT_THIS_MACHINE before its name is looked up. For the demo, where
 * visitors write what a site may follow. It cannot be undone.
 */
export function connectOnlyToThisMachine(): void {
  const connect = Socket.prototype.connect as (this: Socket, ...given: unknown[]) => Socket
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
    const { host = 'localhost', path } = targetOf(given)
    if (path !== undefined || LOOPBACK.test(host)) return connect.apply(this, given)
    const error = Object.assign(new Error(`A demo connects to this machine only, not to ${host}`), {
      code: 'ERR_NOT_THIS_MACHINE',
    })
    process.nextTick(() => this.destroy(error))
    return this
  }
}

/** The arguments of `connect` are a path, a port and a host, or options; Node itself passes them as one list. */
function targetOf([first, second]: unknown[]): Target {
  if (Array.isArray(first)) return targetOf(first as unknown[])
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { path: first }
  return { host: typeof second === 'string' ? second : 'localhost' }
}
