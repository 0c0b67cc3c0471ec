import type { Answer } from './http.ts'
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
import type { Faults } from './row.ts'

/** Longer than any call takes by itself on a busy machine; what is slower is asked again, with and without the sleep. */
const SUSPICIOUS_MS = 1_000
const SLEEP_SECONDS = 1.5
const CONFIRMATIONS = 2
/** A header takes every eighth vector, another eighth at each call, so that all are tried somewhere. */
const HEADER_SHARE = 8

/** What a database, a shell or a template says of itself, and what only files of the machine hold. */
const TELLING: [kind: string, pattern: RegExp][] = [
  [
    'a database speaks',
    /SQLITE_|SqliteError|sqlite3?\b|near "|unrecognized token|unterminated|no such (?:table|column)|syntax error|PostgreSQL|\bpg_|\bSQL\b|relation "|column "|invalid input syntax|\bfts5\b|\btsquery\b|\bORA-\d{5}|MySQL|MongoError|\bBSON\b|Cast to/i,
  ],
  ['a file is told', /root:[x*]?:0:0:|PATH=\/|DATABASE_URL/],
  ['a program speaks', /\n\s+at \S+ \(|node_modules|\/bin\/sh|command not found|not found\n|ENOENT|EACCES/],
  ['words were calculated', new RegExp(CALCULATED)],
  ['words were joined', new RegExp(JOINED)],
]

export interface Probe {
  vectors: readonly TextVector[]
  faults: Faults
  /** How many requests were sent. */
  count: number
  /** True when nothing more needs to be tried. */
  isEnough?(): boolean
}

/** Tries one place with everything but what takes time. `turn` chooses its share of the vectors where not all are tried. */
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
    judgeAnswer(slot, query, await answered(() => sendQuery(query), probe), probe)
}

/** Those that take time, one after the other: a delay counts when it comes back with the sleep and stays away without it. */
export async function probeDelays(slot: Slot, probe: Probe, turn: number): Promise<void> {
  const vectors = slowVectors.filter(
    (_, index) => slot.where !== 'header' || index % HEADER_SHARE === turn % HEADER_SHARE,
  )
  for (const vector of vectors) {
    const take = async (seconds: number): Promise<number> => {
      const text = fitFor(slot, slot.usual + vector(seconds))
      return text === null ? 0 : (await answered(() => slot.send(text), probe)).ms
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

/** Behind what belongs there, and half of them alone. */
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

/** What can be sent there at all: a header holds no line ends and no letters past Latin. */
function fitFor({ where }: Slot, text: string): string | null {
  return where === 'header' && !/^[\x20-\x7e\t]*$/.test(text) ? null : text
}

/** A 503 is what the site says when a provider was too slow for it, as on a busy machine: it counts when it comes again. */
async function answered(send: () => Promise<Answer>, probe: Probe): Promise<Answer> {
  const answer = await attempt(send, probe)
  return answer.status === 503 ? attempt(send, probe) : answer
}

async function attempt(send: () => Promise<Answer>, probe: Probe): Promise<Answer> {
  probe.count++
  try {
    return await send()
  } catch (error) {
    return { status: 0, headers: {}, rawHeaders: [], text: String(error), ms: 0, body: null }
  }
}

async function judge(slot: Slot, text: string, probe: Probe): Promise<Answer> {
  const answer = await answered(() => slot.send(text), probe)
  judgeAnswer(slot, text, answer, probe)
  return answer
}

function judgeAnswer(slot: Slot, text: string, answer: Answer, { faults }: Probe): void {
  const isRefusedHeader = answer.status === 0 && slot.where === 'header' && /Invalid character/.test(answer.text)
  if (isRefusedHeader) return
  const example = `${text} -> ${answer.status} ${answer.text.slice(0, 80)}`
  if (answer.status === 0 || answer.status >= 500) faults.add(`${answer.status} from ${slot.name}`, example)
  const rest = withoutEcho(answer.text, text)
  for (const [kind, pattern] of TELLING) if (pattern.test(rest)) faults.add(`${kind} in ${slot.name}`, example)
}

async function judgeObject(slot: Slot, value: unknown, probe: Probe): Promise<void> {
  const answer = await answered(() => slot.send(value), probe)
  const text = JSON.stringify(value)
  judgeAnswer(slot, text, answer, probe)
  if (slot.onlyText && answer.status < 400) probe.faults.add(`an object was taken for text in ${slot.name}`, text)
}

async function compare(slot: Slot, pair: VectorPair, probe: Probe): Promise<void> {
  const ask = async (text: string): Promise<string> => fingerprint(await judge(slot, text, probe), text)
  const [yes, no] = [await ask(pair.yes), await ask(pair.no)]
  if (yes === no) return
  for (let turn = 0; turn < CONFIRMATIONS; turn++)
    if ((await ask(pair.yes)) !== yes || (await ask(pair.no)) !== no) return
  probe.faults.add(`another answer to a true question in ${slot.name}`, `${pair.yes}: ${yes}; ${pair.no}: ${no}`)
}

/** Status and words of an answer, without what was sent and without what differs each time: tokens, ids, numbers. */
function fingerprint({ status, text }: Answer, sent: string): string {
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
