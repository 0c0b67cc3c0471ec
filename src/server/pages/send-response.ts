import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type PreparedResponse, isFresh, type Representation } from './prepared-response.ts'
import { acceptedEncodings } from './encodings.ts'

/**
 * Sends a prepared response in the preferred encoding, or 304 if the browser has a current copy.
 * @param closing true while the process is draining: the connection is then closed
 * @returns the status sent
 */
export function sendResponse(
  req: IncomingMessage,
  res: ServerResponse,
  answer: PreparedResponse,
  closing: boolean,
): number {
  const { headers } = req
  const representation = selectRepresentation(answer, headers['accept-encoding'])
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined && answer.status === 200 && isFresh(answer, ifNoneMatch)) {
    if (closing) res.shouldKeepAlive = false
    res.writeHead(304, representation.notModifiedHeaders).end()
    return 304
  }
  if (!closing && req.method === 'GET' && writeDirectly(req, res, answer.status, representation)) return answer.status
  if (closing) res.shouldKeepAlive = false
  res.writeHead(answer.status, representation.headers)
  if (req.method === 'HEAD') res.end()
  else res.end(representation.body)
  return answer.status
}

/** Selects the representation that the browser prefers. */
export function selectRepresentation(
  { representations }: PreparedResponse,
  acceptEncoding: string | string[] | undefined,
): Representation {
  for (const encoding of acceptedEncodings(String(acceptEncoding ?? ''))) {
    const representation = representations[encoding]
    if (representation) return representation
  }
  return representations.identity
}

/**
 * Writes head and body in one call, bypassing Node's header validation and assembly, which takes 40% of the time of a cached page.
 *
 * NOTE: `finish` tells Node's server that a response is complete, so that it handles the next request of the connection; a response that is never ended
 * does not emit it. Special cases are left to Node: a response queued behind another (pipelining) has no socket yet, an old or closing connection is not
 * kept alive, and a slow reader must hold back further responses.
 * @returns false if nothing was written
 */
function writeDirectly(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  representation: Representation,
): boolean {
  const { socket } = res
  if (!socket || socket.writableNeedDrain || !socket.writable) return false
  if (!res.shouldKeepAlive || req.httpVersionMinor !== 1) return false
  socket.write(wireOf(status, representation))
  res.emit('finish')
  return true
}

function wireOf(status: number, representation: Representation): Buffer {
  const second = Math.floor(Date.now() / 1000)
  if (representation.wire && representation.wireSecond === second) return representation.wire
  const { headers, body } = representation
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`
  head += `date: ${new Date(second * 1000).toUTCString()}\r\n\r\n`
  // Use a new buffer each second: the previous one may still be being sent to a slow reader.
  const wire = Buffer.allocUnsafeSlow(Buffer.byteLength(head, 'latin1') + body.length)
  const headLength = wire.write(head, 'latin1')
  body.copy(wire, headLength)
  representation.wire = wire
  representation.wireSecond = second
  // Share the memory instead of storing the body twice.
  representation.body = wire.subarray(headLength)
  return wire
}
