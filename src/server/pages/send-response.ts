import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type Answer, isFresh, type Representation } from './answer.ts'
import { acceptedEncodings } from './encodings.ts'

/**
 * Sends a finished answer in the form the browser likes best, or 304 when it has it already.
 * @param closing true while the process is ending: the connection is then not kept.
 * @returns the status sent.
 */
export function sendAnswer(req: IncomingMessage, res: ServerResponse, answer: Answer, closing: boolean): number {
  const { headers } = req
  const representation = choose(answer, headers['accept-encoding'])
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined && answer.status === 200 && isFresh(answer, ifNoneMatch)) {
    if (closing) res.shouldKeepAlive = false
    res.writeHead(304, representation.notModifiedHeaders).end()
    return 304
  }
  if (!closing && req.method === 'GET' && writeAtOnce(req, res, answer.status, representation)) return answer.status
  if (closing) res.shouldKeepAlive = false
  res.writeHead(answer.status, representation.headers)
  if (req.method === 'HEAD') res.end()
  else res.end(representation.body)
  return answer.status
}

/** The form of an answer that a browser likes best. */
export function choose({ representations }: Answer, acceptEncoding: string | string[] | undefined): Representation {
  for (const encoding of acceptedEncodings(String(acceptEncoding ?? ''))) {
    const representation = representations[encoding]
    if (representation) return representation
  }
  return representations.identity
}

/**
 * Head and body in one write, past the checking and assembling of headers that takes two fifths of the time of a cached page.
 *
 * NOTE: `finish` is what tells Node's server that an answer is complete, so that it takes up the next request of the connection; a response
 * that is never ended does not say it by itself. Every unusual case is left to Node: an answer queued behind another (pipelining) has no
 * socket yet, an old or closing connection is not kept, and a slow reader must hold back further answers.
 * @returns false when nothing was written.
 */
function writeAtOnce(
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
  // A new piece each second: the one before may still be on its way to a slow reader.
  const wire = Buffer.allocUnsafeSlow(Buffer.byteLength(head, 'latin1') + body.length)
  const headLength = wire.write(head, 'latin1')
  body.copy(wire, headLength)
  representation.wire = wire
  representation.wireSecond = second
  // One copy is enough.
  representation.body = wire.subarray(headLength)
  return wire
}
