import { createSocket } from 'node:dgram'

/** The records of a name: texts, or the name of a mail server. */
export type Zone = Record<string, { txt?: readonly string[]; mx?: string }>

export interface DnsServer extends AsyncDisposable {
  /** Such as `127.0.0.1:4711`. */
  address: string
}

const TXT = 16
const MX = 15
const NO_SUCH_NAME = 3
const PIECE = 255

/** A name server on the loopback address that only knows the records of `zone`. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => socket.send(response(question, zone), port, address))
  await new Promise<void>((done) => {
    socket.bind(0, '127.0.0.1', done)
  })
  return {
    address: `127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        socket.close(() => done())
      }),
  }
}

function response(question: Buffer, zone: Zone): Buffer {
  const { name, type, end } = readQuestion(question)
  const known = zone[name.toLowerCase()]
  const records = known ? recordsOf(known, type) : []
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (known ? 0 : NO_SUCH_NAME), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, question.subarray(12, end), ...records.map((bytes) => record(type, bytes))])
}

function readQuestion(question: Buffer): { name: string; type: number; end: number } {
  const names: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    names.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: names.join('.'), type: question.readUInt16BE(at + 1), end: at + 5 }
}

function recordsOf({ txt = [], mx }: Zone[string], type: number): Buffer[] {
  if (type === TXT) return txt.map((text) => Buffer.concat(inPieces(text).map(piece)))
  if (type === MX && mx) return [Buffer.concat([Buffer.from([0, 10]), ...mx.split('.').map(piece), Buffer.from([0])])]
  return []
}

/** A text longer than 255 characters is split. */
function inPieces(text: string): string[] {
  return text.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? ['']
}

function piece(text: string): Buffer {
  return Buffer.from([text.length, ...Buffer.from(text, 'latin1')])
}

/** The name is the one in the question: a pointer to byte 12. */
function record(type: number, bytes: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}
