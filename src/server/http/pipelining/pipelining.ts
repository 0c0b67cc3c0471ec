import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Requests of one connection that may wait for their answers. Browsers and proxies send one after the other; some programs send a few ahead. */
export const MOST_UNANSWERED = 4

/** What llhttp, Node's parser, calls `HPE_PAUSED`: returned for a request's headers, it stops right behind them. */
const PAUSE = 21

/** The part of Node's own parser that is used here. It belongs to one connection at a time. */
interface Parser {
  onIncoming(request: IncomingMessage, keepAlive: boolean): number
  resume(): void
}

interface ParserPaused extends NodeJS.ErrnoException {
  rawPacket: Buffer
  bytesParsed: number
}

const connections = new WeakMap<Socket, Connection>()

/** To be given to `createServer`: counts what each connection was not answered yet. */
export class CountedResponse extends ServerResponse {
  constructor(...args: ConstructorParameters<typeof ServerResponse>) {
    super(...args)
    const connection = connections.get(args[0].socket)
    if (!connection) return
    connection.unanswered++
    this.on('finish', connection.onAnswered)
  }
}

/**
 * Reads no further from a connection while `MOST_UNANSWERED` of its requests wait. Node by itself stops between two reads only, and 64 kB hold
 * 1,500 requests: 40 visitors who sent that and read nothing took several hundred MB.
 */
export function boundPipelining(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const { parser } = socket as Socket & { parser?: Parser }
    if (parser) connections.set(socket, new Connection(socket, parser))
  })
}

/** Whether a `clientError` is no error but the parser that was stopped here; what it had not read is kept. */
export function isHeldBack(error: NodeJS.ErrnoException, socket: unknown): boolean {
  const connection = error.code === 'HPE_PAUSED' && connections.get(socket as Socket)
  if (!connection) return false
  connection.hold(error as ParserPaused)
  return true
}

class Connection {
  unanswered = 0
  readonly #socket: Socket
  readonly #parser: Parser
  /** Bytes that arrived and were not parsed; null while the connection is read as usual. */
  #unread: Buffer | null = null
  #isParsing = false

  constructor(socket: Socket, parser: Parser) {
    this.#socket = socket
    this.#parser = parser
    const accept = parser.onIncoming
    parser.onIncoming = (request, keepAlive) => {
      const told = accept.call(parser, request, keepAlive)
      return told === 0 && this.unanswered >= MOST_UNANSWERED ? PAUSE : told
    }
    // Node resumes a connection whenever a request is taken up or written bytes are gone.
    socket.resume = () => {
      if (this.#unread === null && !this.#isParsing) return Socket.prototype.resume.call(socket)
      process.nextTick(this.#goOn)
      return socket
    }
  }

  hold({ rawPacket, bytesParsed }: ParserPaused): void {
    const rest = rawPacket.subarray(bytesParsed)
    this.#unread = this.#unread === null ? rest : Buffer.concat([this.#unread, rest])
    this.#socket.pause()
    process.nextTick(this.#goOn)
  }

  readonly onAnswered = (): void => {
    this.unanswered--
    // Not at once: Node has yet to give the connection to the next answer in line.
    if (this.#unread !== null) process.nextTick(this.#goOn)
  }

  readonly #goOn = (): void => {
    const socket = this.#socket
    if (this.#unread === null || this.#isParsing || socket.destroyed || socket.writableEnded) return
    // `_paused`: Node itself waits until what was written is gone, and resumes then.
    if (this.unanswered >= MOST_UNANSWERED || (socket as Socket & { _paused?: boolean })._paused) return
    const bytes = this.#unread
    this.#unread = null
    this.#isParsing = true
    this.#parser.resume()
    // Node parses what its connections emit, also an empty piece: a request without a body ends with one.
    socket.emit('data', bytes)
    this.#isParsing = false
    if (this.#unread === null) socket.resume()
  }
}
