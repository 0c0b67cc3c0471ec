import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../platform/problem.ts'

const LINGER_MS = 1_000

/** Whether a request says that its body is longer than any call takes. */
export function announcesMoreThan({ headers }: IncomingMessage, bytes: number): boolean {
  return Number(headers['content-length']) > bytes
}

/**
 * Refuses a body before anything of it is read.
 * @param headers put on every answer
 * @param message in place of the usual sentence
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
 * Lets the last answer of a connection be read although its request is still arriving: nothing more of that is read, and the socket is destroyed a
 * little later. Destroyed at once it would be reset, and the reset may overtake the answer (RFC 9112, 9.6).
 */
export function stopReading(request: IncomingMessage): void {
  const { socket } = request
  // What was read from once, Node does not read to its end by itself; and what is paused holds the sender back.
  request.read(0)
  request.pause()
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
