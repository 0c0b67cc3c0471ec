import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

export type Mail = {
  id: string
  /** The address of the From header. */
  from: string
  /** All recipients, including blind copies. */
  to: string[]
  subject: string
  text: string
  html: string
  /** Lower-case name to value, or to values in order. */
  headers: Record<string, string | string[]>
  /** ISO 8601, by the stand-ins' clock. */
  receivedAt: string
  /** The MAIL FROM address, which receives bounces. */
  envelopeFrom: string
  attachments: { filename: string | null; mimeType: string; size: number }[]
}

type Envelope = { from: string; to: string[]; receivedAt: number }

type Entry = Envelope & { id: number; offset: number; length: number; raw?: Buffer; mail?: Mail }

export type MailStore = {
  add(envelope: Envelope, raw: Buffer): Promise<void>
  count(): number
  /** Yields emails newest first, only those to `to` (case-insensitive) when given, parsed on demand. */
  read(filter: { to?: string | undefined; limit?: number | undefined }): AsyncGenerator<Mail>
  /** Newest first; only for a store that parses immediately. */
  parsed(to?: string): Mail[]
  find(id: string): Promise<Mail | null>
  raw(id: string): Buffer | null
  close(): void
}

const INDEX = 'mail.jsonl'
const MESSAGES = 'mail.raw'

/** Cache of parsed emails, by recent use: tests that wait for an email poll for the same ones. */
const MAX_PARSED = 5_000

type MailStoreOptions = {
  /** null keeps emails in memory. */
  directory: string | null
  /** Parses each email before it is acknowledged, for tests that read without waiting. */
  parseAtOnce: boolean
}

/** Stores raw emails in one file and their offsets in another; both are append-only. */
export function openMailStore({ directory, parseAtOnce }: MailStoreOptions): MailStore {
  const entries = directory ? loadIndex(join(directory, INDEX)) : []
  const byAddress = new Map<string, Entry[]>()
  const index = directory ? openSync(join(directory, INDEX), 'a') : null
  const messages = directory ? openSync(join(directory, MESSAGES), 'a+') : null
  let size = messages === null ? 0 : fstatSync(messages).size

  function enter(entry: Entry): void {
    for (const address of new Set(entry.to.map((to) => to.toLowerCase()))) {
      const known = byAddress.get(address)
      if (known) known.push(entry)
      else byAddress.set(address, [entry])
    }
  }
  entries.forEach(enter)

  function bytesOf(entry: Entry): Buffer {
    if (entry.raw) return entry.raw
    const bytes = Buffer.alloc(entry.length)
    readSync(messages!, bytes, 0, entry.length, entry.offset)
    return bytes
  }

  const lastParsed = new Map<number, Promise<Mail>>()

  async function mailOf(entry: Entry): Promise<Mail> {
    if (entry.mail) return entry.mail
    const mail = lastParsed.get(entry.id) ?? parseMail(entry, bytesOf(entry))
    lastParsed.delete(entry.id)
    lastParsed.set(entry.id, mail)
    const [oldest] = lastParsed.keys()
    if (lastParsed.size > MAX_PARSED && oldest !== undefined) lastParsed.delete(oldest)
    return mail
  }

  function candidates(to: string | undefined): Entry[] {
    return to === undefined || to === '' ? entries : (byAddress.get(to.toLowerCase()) ?? [])
  }

  function entryOf(id: string): Entry | null {
    const found = entries[Number(id) - 1]
    return found && String(found.id) === id ? found : null
  }

  return {
    async add(envelope, raw) {
      const entry: Entry = { ...envelope, id: entries.length + 1, offset: size, length: raw.length }
      if (messages === null) entry.raw = raw
      else {
        writeSync(messages, raw)
        writeSync(index!, `${JSON.stringify(entry)}\n`)
        size += raw.length
      }
      // Reserve the position before awaiting, so that two concurrent emails do not get the same number.
      entries.push(entry)
      if (parseAtOnce) entry.mail = await parseMail(entry, raw)
      enter(entry)
    },
    count: () => entries.length,
    async *read({ to, limit = Infinity }) {
      const found = candidates(to)
      for (let position = found.length - 1, given = 0; position >= 0 && given < limit; position--, given++) {
        yield await mailOf(found[position]!)
      }
    },
    parsed(to) {
      const found = candidates(to)
      return found.flatMap(({ mail }) => mail ?? []).reverse()
    },
    async find(id) {
      const entry = entryOf(id)
      return entry ? mailOf(entry) : null
    },
    raw(id) {
      const entry = entryOf(id)
      return entry ? bytesOf(entry) : null
    },
    close() {
      if (index !== null) closeSync(index)
      if (messages !== null) closeSync(messages)
    },
  }
}

function loadIndex(path: string): Entry[] {
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  // A process killed while writing leaves an incomplete line; its email was never acknowledged.
  if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n')
  const lines = text.split('\n')
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Entry)
}

async function parseMail({ id, from, to, receivedAt }: Entry, raw: Buffer): Promise<Mail> {
  const parsed = await PostalMime.parse(raw)
  const headers: Mail['headers'] = {}
  for (const { key, value } of parsed.headers) {
    const known = headers[key]
    headers[key] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return {
    id: String(id),
    from: parsed.from?.address ?? from,
    to,
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    headers,
    receivedAt: new Date(receivedAt).toISOString(),
    envelopeFrom: from,
    attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
      filename,
      mimeType,
      size: typeof content === 'string' ? content.length : content.byteLength,
    })),
  }
}
