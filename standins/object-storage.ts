import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import type { Faults } from './faults.ts'
import { performWith } from './faults.ts'
import type { Dropped, HttpReply, HttpRequest } from './http.ts'
import { newId } from './ids.ts'
import type { Store } from './store.ts'

type StoredObject = {
  /** `bucket/key` */
  id: string
  bucket: string
  key: string
  size: number
  etag: string
  contentType: string
  metadata: Record<string, string>
  modifiedAt: number
}

export type ObjectStorage = { serve(request: HttpRequest): Promise<HttpReply | Dropped> }

type ObjectStorageParts = { store: Store; clock: Clock; faults: Faults; directory: string | null }

const MOST_KEYS = 1000

/** The five S3 calls the site uses. Every bucket exists; signatures are not verified. */
export function createObjectStorage({ store, clock, faults, directory }: ObjectStorageParts): ObjectStorage {
  const objects = store.collection<StoredObject>('objects', { indexes: { bucket: ({ bucket }) => bucket } })
  const inMemory = new Map<string, Buffer>()
  if (directory) mkdirSync(directory, { recursive: true })

  function fileOf(id: string): string {
    return join(directory!, createHash('sha256').update(id).digest('hex'))
  }

  function work(request: HttpRequest): HttpReply {
    const [, , bucket = '', ...rest] = request.path.split('/')
    const key = decodeURIComponent(rest.join('/'))
    if (bucket === '') return failure(400, 'InvalidBucketName', 'Name a bucket.')
    if (key === '') return onBucket(request, decodeURIComponent(bucket))
    const id = `${decodeURIComponent(bucket)}/${key}`
    switch (request.method) {
      case 'PUT':
        return put(request, { id, bucket: decodeURIComponent(bucket), key })
      case 'GET':
      case 'HEAD':
        return get(request, id)
      case 'DELETE':
        inMemory.delete(id)
        if (directory && objects.get(id)) rmSync(fileOf(id), { force: true })
        objects.remove(id)
        return { status: 204 }
      default:
        return failure(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.')
    }
  }

  function onBucket(request: HttpRequest, bucket: string): HttpReply {
    if (request.method === 'GET') return listing(request.query, bucket, objects.by('bucket', bucket))
    if (request.method === 'PUT' || request.method === 'HEAD') return { status: 200 }
    return failure(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.')
  }

  function put(request: HttpRequest, { id, bucket, key }: { id: string; bucket: string; key: string }): HttpReply {
    const streamed = String(request.headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-')
    const body = streamed ? withoutChunkFrames(request.body) : request.body
    const etag = `"${createHash('md5').update(body).digest('hex')}"`
    if (directory) writeFileSync(fileOf(id), body)
    else inMemory.set(id, body)
    const sent = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'))
    objects.put({
      id,
      bucket,
      key,
      size: body.length,
      etag,
      contentType: request.headers['content-type'] ?? 'application/octet-stream',
      metadata: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      modifiedAt: clock.now(),
    })
    return { status: 200, headers: { etag } }
  }

  function get(request: HttpRequest, id: string): HttpReply {
    const object = objects.get(id)
    if (!object) return failure(404, 'NoSuchKey', 'The specified key does not exist.')
    const headers = {
      etag: object.etag,
      'content-type': object.contentType,
      'last-modified': new Date(object.modifiedAt).toUTCString(),
      'accept-ranges': 'bytes',
      ...object.metadata,
    }
    if (request.headers['if-none-match'] === object.etag) return { status: 304, headers }
    if (request.method === 'HEAD')
      return { status: 200, headers: { ...headers, 'content-length': String(object.size) } }
    const body = directory ? readFileSync(fileOf(id)) : inMemory.get(id)!
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    if (!range) return { status: 200, headers, body }
    const from = Number(range[1])
    const to = Math.min(range[2] ? Number(range[2]) : Infinity, body.length - 1)
    if (from > to) return failure(416, 'InvalidRange', 'The requested range is not satisfiable')
    const part = { ...headers, 'content-range': `bytes ${from}-${to}/${body.length}` }
    return { status: 206, headers: part, body: body.subarray(from, to + 1) }
  }

  return {
    serve: (request) =>
      performWith({
        request,
        fault: faults.consume('s3'),
        work: () => withRequestId(work(request)),
        error: () => failure(500, 'InternalError', 'We encountered an internal error. Please try again.'),
        limited: () => failure(503, 'SlowDown', 'Please reduce your request rate.'),
      }),
  }
}

function listing(query: URLSearchParams, bucket: string, objects: StoredObject[]): HttpReply {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const requested = Number(query.get('max-keys') ?? MOST_KEYS)
  const limit = Math.min(Number.isInteger(requested) && requested >= 0 ? requested : MOST_KEYS, MOST_KEYS)
  const token = query.get('continuation-token')
  const after = token ? Buffer.from(token, 'base64url').toString() : (query.get('start-after') ?? '')
  const matching = objects.filter(({ key }) => key.startsWith(prefix)).sort((a, b) => (a.key < b.key ? -1 : 1))
  const entries = grouped(matching, prefix, delimiter).filter(({ name }) => name > after)
  const page = entries.slice(0, limit)
  const next = entries.length > page.length && page.length > 0 ? page.at(-1)!.name : null
  const encoded = query.get('encoding-type') === 'url'
  const shown = (name: string) => escapeXml(encoded ? encodeURIComponent(name).replaceAll('%2F', '/') : name)
  const contents = page.flatMap(({ object }) => (object ? [contentsXml(object, shown(object.key))] : []))
  const prefixes = page.flatMap(({ object, name }) =>
    object ? [] : [`<CommonPrefixes><Prefix>${shown(name)}</Prefix></CommonPrefixes>`],
  )
  return xml(
    200,
    '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      `<Name>${escapeXml(bucket)}</Name><Prefix>${shown(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>` +
      `<MaxKeys>${limit}</MaxKeys><IsTruncated>${next !== null}</IsTruncated>` +
      (delimiter ? `<Delimiter>${shown(delimiter)}</Delimiter>` : '') +
      (encoded ? '<EncodingType>url</EncodingType>' : '') +
      (token ? `<ContinuationToken>${escapeXml(token)}</ContinuationToken>` : '') +
      (next ? `<NextContinuationToken>${Buffer.from(next).toString('base64url')}</NextContinuationToken>` : '') +
      `${contents.join('')}${prefixes.join('')}</ListBucketResult>`,
  )
}

/** Returns keys and, when a delimiter follows the prefix, common prefixes. */
function grouped(
  objects: StoredObject[],
  prefix: string,
  delimiter: string,
): { name: string; object: StoredObject | null }[] {
  const entries = new Map<string, StoredObject | null>()
  for (const object of objects) {
    const at = delimiter ? object.key.indexOf(delimiter, prefix.length) : -1
    if (at === -1) entries.set(object.key, object)
    else entries.set(object.key.slice(0, at + delimiter.length), null)
  }
  return [...entries].map(([name, object]) => ({ name, object }))
}

function contentsXml({ etag, size, modifiedAt }: StoredObject, key: string): string {
  return (
    `<Contents><Key>${key}</Key><LastModified>${new Date(modifiedAt).toISOString()}</LastModified>` +
    `<ETag>${escapeXml(etag)}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`
  )
}

/** `aws-chunked`: size in hexadecimal, the bytes, repeated, then trailers. */
function withoutChunkFrames(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, lineEnd === -1 ? body.length : lineEnd), 16)
    if (lineEnd === -1 || !(size > 0)) break
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return Buffer.concat(parts)
}

function withRequestId(reply: HttpReply): HttpReply {
  return { ...reply, headers: { 'x-amz-request-id': newId('', 16).toUpperCase(), ...reply.headers } }
}

function failure(status: number, code: string, message: string): HttpReply {
  return xml(
    status,
    `<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${newId('', 16)}</RequestId></Error>`,
  )
}

function xml(status: number, content: string): HttpReply {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${content}`,
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
