import type { HttpResponse } from '../http.ts'
import {
  asEmail,
  CALCULATED,
  JOINED,
  objectVectors,
  pairs,
  queryVectors,
  slowVectors,
  type TextVector,
  type VectorPair,
} from './injection-vectors.ts'
import type { Slot } from './injection-slots.ts'
import type { Faults } from '../row.ts'

/** Longer than any call takes on a busy machine; slower ones are repeated, with and without the sleep. */
const SUSPICIOUS_MS = 1_000
const SLEEP_SECONDS = 1.5
const CONFIRMATIONS = 2
/** A header gets every eighth vector, a different eighth at each call, so that all are tested somewhere. */
const HEADER_SHARE = 8

/** Error messages of databases, shells and templates, and contents of system files. */
const TELLING: [kind: string, pattern: RegExp][] = [
  [
    'a database speaks',
    /SQLITE_|SqliteError|sqlite3?\b|near "|unrecognized token|unterminated|no such (?:table|column)|syntax error|PostgreSQL|\bpg_|\bSQL\b|relation "|column "|invalid input syntax|\bfts5\b|\btsquery\b|\bORA-\d{5}|MySQL|MongoError|\bBSON\b|Cast to/i,
  ],
  ['a file is exposed', /root:[x*]?:0:0:|PATH=\/|DATABASE_URL/],
  ['a program speaks', /\n\s+at \S+ \(|node_modules|\/bin\/sh|command not found|not found\n|ENOENT|EACCES/],
  ['words were calculated', new RegExp(CALCULATED)],
  ['words were joined', new RegExp(JOINED)],
]

export interface Probe {
  vectors: readonly TextVector[]
  faults: Faults
  /** The number of requests sent. */
  count: number
  /** True when nothing else needs to be tested. */
  isEnough?(): boolean
}

/** Tests one slot with all vectors except time-based ones. `turn` selects its share where not all are used. */
export async function probeSlot(slot: Slot, probe: Probe, turn: number): Promise<void> {
  for (const text of textsFor(slot, probe.vectors, turn)) {
    await judge(slot, text, probe)
    if (probe.isEnough?.()) return
  }
  for (const pair of pairsFor(slot, turn)) {
    await compare(slot, pair, probe)
    if (probe.isEnough?.()) return
  }
  if (slot.where === 'body') for (const value of objectVectors) await judgeObject(slot, value, probe)
  const { sendQuery } = slot
  if (!sendQuery) return
  const field = slot.name.split(' ').at(-1) ?? ''
  for (const query of queryVectors(field))
    judgeResponse(slot, query, await sendRetrying503(() => sendQuery(query), probe), probe)
}

/** Runs time-based vectors sequentially: a delay counts if it occurs with the sleep and not without it. */
export async function probeDelays(slot: Slot, probe: Probe, turn: number): Promise<void> {
  const vectors = slowVectors.filter(
    (_, index) => slot.where !== 'header' || index % HEADER_SHARE === turn % HEADER_SHARE,
  )
  for (const vector of vectors) {
    const take = async (seconds: number): Promise<number> => {
      const text = fitFor(slot, slot.usual + vector(seconds))
      return text === null ? 0 : (await sendRetrying503(() => slot.send(text), probe)).ms
    }
    if ((await take(SLEEP_SECONDS)) < SUSPICIOUS_MS) continue
    if (!(await isSlowOnlyThen(take))) continue
    probe.faults.add(`delay in ${slot.name}`, vector(SLEEP_SECONDS))
    return
  }
}

async function isSlowOnlyThen(take: (seconds: number) => Promise<number>): Promise<boolean> {
  for (let turn = 0; turn < CONFIRMATIONS; turn++) {
    const [without, withSleep] = [await take(0), await take(SLEEP_SECONDS)]
    if (withSleep < SUSPICIOUS_MS || without > withSleep / 2) return false
  }
  return true
}

/** Appended to a valid value, and half of them alone. */
function textsFor(slot: Slot, vectors: readonly TextVector[], turn: number): string[] {
  const chosen = vectors.filter((_, index) => slot.where !== 'header' || index % HEADER_SHARE === turn % HEADER_SHARE)
  return chosen.flatMap(({ text }, index) => {
    const texts = [slot.usual + text, ...(index % 2 === turn % 2 && slot.where !== 'header' ? [text] : [])]
    const email = slot.usual.includes('@') ? asEmail(text) : null
    return [...texts, ...(email ? [email] : [])].map((one) => fitFor(slot, one)).filter((one) => one !== null)
  })
}

function pairsFor(slot: Slot, turn: number): VectorPair[] {
  const chosen = pairs.filter((_, index) => slot.where !== 'header' || index % HEADER_SHARE === turn % HEADER_SHARE)
  return chosen.flatMap(({ yes, no }) => {
    const asked = [{ yes: fitFor(slot, slot.usual + yes), no: fitFor(slot, slot.usual + no) }]
    if (slot.usual.includes('@')) asked.push({ yes: asEmail(`meera${yes}`), no: asEmail(`meera${no}`) })
    return asked.filter((pair): pair is VectorPair => pair.yes !== null && pair.no !== null)
  })
}

/** Vectors that can be sent in this slot: a header cannot contain line breaks or characters beyond Latin-1. */
function fitFor({ where }: Slot, text: string): string | null {
  return where === 'header' && !/^[\x20-\x7e\t]*$/.test(text) ? null : text
}

/** A 503 means that a provider was too slow, as on a busy machine: it counts when it recurs. */
async function sendRetrying503(send: () => Promise<HttpResponse>, probe: Probe): Promise<HttpResponse> {
  const response = await attempt(send, probe)
  return response.status === 503 ? attempt(send, probe) : response
}

async function attempt(send: () => Promise<HttpResponse>, probe: Probe): Promise<HttpResponse> {
  probe.count++
  try {
    return await send()
  } catch (error) {
    return { status: 0, headers: {}, rawHeaders: [], text: String(error), ms: 0, body: null }
  }
}

async function judge(slot: Slot, text: string, probe: Probe): Promise<HttpResponse> {
  const response = await sendRetrying503(() => slot.send(text), probe)
  judgeResponse(slot, text, response, probe)
  return response
}

function judgeResponse(slot: Slot, text: string, response: HttpResponse, { faults }: Probe): void {
  const isRefusedHeader = response.status === 0 && slot.where === 'header' && /Invalid character/.test(response.text)
  if (isRefusedHeader) return
  const example = `${text} -> ${response.status} ${response.text.slice(0, 80)}`
  if (response.status === 0 || response.status >= 500) faults.add(`${response.status} from ${slot.name}`, example)
  const rest = withoutEcho(response.text, text)
  for (const [kind, pattern] of TELLING) if (pattern.test(rest)) faults.add(`${kind} in ${slot.name}`, example)
}

async function judgeObject(slot: Slot, value: unknown, probe: Probe): Promise<void> {
  const response = await sendRetrying503(() => slot.send(value), probe)
  const text = JSON.stringify(value)
  judgeResponse(slot, text, response, probe)
  if (slot.onlyText && response.status < 400) probe.faults.add(`an object was taken for text in ${slot.name}`, text)
}

async function compare(slot: Slot, pair: VectorPair, probe: Probe): Promise<void> {
  const ask = async (text: string): Promise<string> => fingerprint(await judge(slot, text, probe), text)
  const [yes, no] = [await ask(pair.yes), await ask(pair.no)]
  if (yes === no) return
  for (let turn = 0; turn < CONFIRMATIONS; turn++)
    if ((await ask(pair.yes)) !== yes || (await ask(pair.no)) !== no) return
  probe.faults.add(`another answer to a true question in ${slot.name}`, `${pair.yes}: ${yes}; ${pair.no}: ${no}`)
}

/** Status and text of a response, without the input and without values that always differ: tokens, ids, numbers. */
function fingerprint({ status, text }: HttpResponse, sent: string): string {
  return `${status} ${withoutEcho(text, sent).replaceAll(/[\w-]{16,}|\d+/g, '#')}`.slice(0, 4_000)
}

function withoutEcho(text: string, sent: string): string {
  const forms = [sent, sent.trim()].flatMap((form) => [
    JSON.stringify(form).slice(1, -1),
    form,
    encodeURIComponent(form.toWellFormed()),
    form
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#x27;'),
  ])
  return forms.filter((form) => form.length > 2).reduce((rest, form) => rest.replaceAll(form, ''), text)
}
