import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Maximum number of unanswered requests per connection. Browsers and proxies do not pipeline; some programs send a few requests ahead. */
export const MAX_PENDING_REQUESTS = 4

/** `HPE_PAUSED` in llhttp, Node's parser: returned for a request's headers, it pauses right after them. */
const PAUSE = 21

/** The part of Node's internal parser used here. It belongs to one connection at a time. */
interface Parser {
  onIncoming(request: IncomingMessage, keepAlive: boolean): number
  resume(): void
}

interface ParserPaused extends NodeJS.ErrnoException {
  rawPacket: Buffer
  bytesParsed: number
}

const connections = new WeakMap<Socket, Connection>()

/** Pass to `createServer`: counts the unanswered requests of each connection. */
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
 * Stops reading from a connection while `MOST_UNANSWERED` of its requests are pending. Node itself pauses only between reads, and 64 kB can hold 1,500
 * requests: 40 clients who sent that and never read the responses used several hundred MB.
 */
export function limitPipelining(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const { parser } = socket as Socket & { parser?: Parser }
    if (parser) connections.set(socket, new Connection(socket, parser))
  })
}

/** Whether a `clientError` is only the parser paused by this module; keeps the unparsed bytes. */
export function isParserPaused(error: NodeJS.ErrnoException, socket: unknown): boolean {
  const connection = error.code === 'HPE_PAUSED' && connections.get(socket as Socket)
  if (!connection) return false
  connection.hold(error as ParserPaused)
  return true
}

class Connection {
  unanswered = 0
  readonly #socket: Socket
  readonly #parser: Parser
  /** Bytes received but not parsed yet; null while the connection is read normally. */
  #unread: Buffer | null = null
  #isParsing = false

  constructor(socket: Socket, parser: Parser) {
    this.#socket = socket
    this.#parser = parser
    const accept = parser.onIncoming
    parser.onIncoming = (request, keepAlive) => {
      const result = accept.call(parser, request, keepAlive)
      return result === 0 && this.unanswered >= MAX_PENDING_REQUESTS ? PAUSE : result
    }
    // Node resumes a connection whenever a request is consumed or the write buffer drains.
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
    // Deferred: Node has yet to assign the connection to the next response.
    if (this.#unread !== null) process.nextTick(this.#goOn)
  }

  readonly #goOn = (): void => {
    const socket = this.#socket
    if (this.#unread === null || this.#isParsing || socket.destroyed || socket.writableEnded) return
    // `_paused`: Node waits for the write buffer to drain and resumes then.
    if (this.unanswered >= MAX_PENDING_REQUESTS || (socket as Socket & { _paused?: boolean })._paused) return
    const unparsed = this.#unread
    this.#unread = null
    this.#isParsing = true
    this.#parser.resume()
    // Node parses the emitted data, even an empty chunk: it ends a request without a body.
    socket.emit('data', unparsed)
    this.#isParsing = false
    if (this.#unread === null) socket.resume()
  }
}
