import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '#server/lib/problem.ts'

const LINGER_MS = 1_000

/** Whether a request announces a body larger than `bytes`. */
export function declaresLargerBody({ headers }: IncomingMessage, bytes: number): boolean {
  return Number(headers['content-length']) > bytes
}

/**
 * Refuses a body before reading any of it.
 * @param headers added to every response
 * @param message overrides the default message
 */
export function refuseLarge(
  response: ServerResponse,
  headers: readonly (readonly [string, string])[],
  message?: string,
): void {
  const problem = new Problem('TOO_LARGE', message === undefined ? {} : { message })
  stopReading(response.req)
  for (const [name, value] of headers) response.setHeader(name, value)
  response.writeHead(problem.status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
  response.end(JSON.stringify(problem.toBody()))
}

/**
 * Lets the client read the final response although its request is still arriving: stops reading, and destroys the socket a little later. Destroying it
 * immediately would send a reset, which may arrive before the response (RFC 9112, 9.6).
 */
export function stopReading(request: IncomingMessage): void {
  const { socket } = request
  // After a read, Node no longer drains the request automatically; pausing it stops the sender.
  request.read(0)
  request.pause()
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
