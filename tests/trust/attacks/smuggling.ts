export interface SmugglingVector {
  name: string
  bytes: string
  /** The outer request is valid; only the hidden one must not be processed. */
  mayPass?: boolean
}

/** Requested inside another request; its response is recognized by its content. */
const HIDDEN = 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
const CHUNKED_END = '0\r\n\r\n'

function post(headers: string, body: string): string {
  return `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
}

function chunkedBy(header: string): string {
  return post(`Content-Length: 4\r\n${header}`, `${CHUNKED_END}${HIDDEN}`)
}

/** Requests whose end two programs in a row may interpret differently (RFC 9112, 11.2; published collections of such ambiguities). */
export const SMUGGLING: SmugglingVector[] = [
  {
    name: 'CL.TE',
    bytes: post(
      `Content-Length: ${CHUNKED_END.length + HIDDEN.length}\r\nTransfer-Encoding: chunked`,
      CHUNKED_END + HIDDEN,
    ),
  },
  {
    name: 'TE.CL',
    bytes: post(
      'Transfer-Encoding: chunked\r\nContent-Length: 4',
      `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n${CHUNKED_END}`,
    ),
  },
  { name: 'two lengths', bytes: post(`Content-Length: 2\r\nContent-Length: ${2 + HIDDEN.length}`, `{}${HIDDEN}`) },
  { name: 'lengths in a list', bytes: post(`Content-Length: 2, ${2 + HIDDEN.length}`, `{}${HIDDEN}`) },
  { name: 'length with plus', bytes: post('Content-Length: +2', `{}${HIDDEN}`) },
  { name: 'negative length', bytes: post('Content-Length: -2', `{}${HIDDEN}`) },
  { name: 'hexadecimal length', bytes: post('Content-Length: 0x2', `{}${HIDDEN}`) },
  { name: 'blank before the colon of the length', bytes: post('Content-Length : 2', `{}${HIDDEN}`) },
  { name: 'length followed by text', bytes: post('Content-Length: 2x', `{}${HIDDEN}`) },
  { name: 'xchunked', bytes: chunkedBy('Transfer-Encoding: xchunked') },
  { name: 'chunked, identity', bytes: chunkedBy('Transfer-Encoding: chunked, identity') },
  { name: 'identity, chunked with length', bytes: chunkedBy('Transfer-Encoding: identity, chunked') },
  { name: 'encoding twice', bytes: chunkedBy('Transfer-Encoding: chunked\r\nTransfer-Encoding: x') },
  { name: 'blank before the colon of the encoding', bytes: chunkedBy('Transfer-Encoding : chunked') },
  { name: 'vertical tab', bytes: chunkedBy('Transfer-Encoding:\u000bchunked') },
  { name: 'quoted encoding', bytes: chunkedBy('Transfer-Encoding: "chunked"') },
  { name: 'folded encoding', bytes: chunkedBy('Transfer-Encoding:\r\n chunked') },
  { name: 'encoding in another header by bare LF', bytes: chunkedBy('X: y\nTransfer-Encoding: chunked') },
  { name: 'encoding in another header by bare CR', bytes: chunkedBy('X: y\rTransfer-Encoding: chunked') },
  { name: 'NUL in a header', bytes: chunkedBy('Transfer-Encoding: chunked\u0000') },
  { name: 'chunk size 0x', bytes: post('Transfer-Encoding: chunked', `0x2\r\n{}\r\n${CHUNKED_END}${HIDDEN}`) },
  {
    name: 'chunk size too large',
    bytes: post('Transfer-Encoding: chunked', `FFFFFFFFFFFFFFFF2\r\n{}\r\n${CHUNKED_END}${HIDDEN}`),
  },
  { name: 'chunk size negative', bytes: post('Transfer-Encoding: chunked', `-2\r\n{}\r\n${CHUNKED_END}${HIDDEN}`) },
  { name: 'chunk extension with bare LF', bytes: post('Transfer-Encoding: chunked', `2;\nxx\r\n{}\r\n${CHUNKED_END}`) },
  { name: 'chunk data without its end', bytes: post('Transfer-Encoding: chunked', `2\r\n{}${CHUNKED_END}`) },
  {
    name: 'bare LF everywhere',
    bytes: post('Content-Length: 4\r\nTransfer-Encoding: chunked', CHUNKED_END + HIDDEN).replaceAll('\r\n', '\n'),
  },
  {
    name: 'two hosts',
    bytes: `GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    mayPass: true,
  },
  {
    name: 'GET with a body',
    bytes: `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    mayPass: true,
  },
  {
    name: 'HEAD with a body',
    bytes: `HEAD /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    mayPass: true,
  },
  { name: 'HTTP/0.9', bytes: `GET /healthz\r\n${HIDDEN}` },
  { name: 'HTTP/2 preface', bytes: `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}` },
  { name: 'blank in the address', bytes: `GET /healthz HTTP/1.1 /x HTTP/1.1\r\nHost: x\r\n\r\n` },
  {
    name: 'upgrade with a body',
    bytes: `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    mayPass: true,
  },
]
