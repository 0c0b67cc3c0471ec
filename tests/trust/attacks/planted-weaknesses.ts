import { exec } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import type { Slot } from './injection-slots.ts'
import { postJson } from '../http.ts'

const SHELL_WITHIN_MS = 5_000
const ROWS = `create table thing (name text, secret text); insert into thing values ('lamp', 'brass'), ('drum', 'wood')`

/** How a weakness is reported: part of the finding's kind. */
interface Planted {
  name: string
  shows: RegExp
  answer(word: unknown): unknown
}

/** Every mistake the probe claims to find, made on purpose in a server that only this row uses. */
export async function plantWeaknesses(canaryFile: string): Promise<{
  planted: readonly Pick<Planted, 'name' | 'shows'>[]
  slots: Slot[]
  /** Whether a stacked statement was executed. */
  hasInjectedTable(): boolean
  close(): Promise<void>
}> {
  const open = new Database(':memory:')
  open.exec(ROWS)
  const postgres = await connect()
  const planted = [...weaknesses(open), ...(postgres ? weaknessesOf(postgres) : []), ...otherWeaknesses(canaryFile)]
  const server = createServer((request, response) => {
    void reply(planted, request).then(({ status, text }) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end(text),
    )
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    planted,
    slots: planted.map(({ name }) => ({
      name,
      group: name,
      usual: 'lamp',
      where: 'body',
      onlyText: true,
      send: (word) => postJson(origin, `/${encodeURIComponent(name)}`, { word }),
    })),
    hasInjectedTable: () =>
      open.prepare(`select 1 from sqlite_master where name = 'injected_by_trust'`).get() !== undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      open.close()
      await postgres?.end()
    },
  }
}

async function connect(): Promise<pg.Client | null> {
  const url = process.env['TEST_DATABASE_URL']
  if (!url) return null
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create temporary table thing (name text, secret text)`)
  await client.query(`insert into thing values ('lamp', 'brass'), ('drum', 'wood')`)
  return client
}

async function reply(planted: readonly Planted[], request: IncomingMessage): Promise<{ status: number; text: string }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const name = decodeURIComponent(request.url?.slice(1) ?? '')
  const { word } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { word: unknown }
  try {
    return { status: 200, text: String(await planted.find((one) => one.name === name)?.answer(word)) }
  } catch (error) {
    return { status: 500, text: name.includes('hidden') ? 'Something went wrong.' : String(error) }
  }
}

function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** SQL built by string concatenation, in SQLite. */
function weaknesses(open: Database.Database): Planted[] {
  const rows = (word: unknown): unknown[] => open.prepare(`select name from thing where name = '${String(word)}'`).all()
  return [
    { name: 'an error that is shown', shows: /a database speaks/, answer: (word) => rows(word).length },
    { name: 'an error that is hidden', shows: /500/, answer: (word) => rows(word).length },
    {
      name: 'a blind question',
      shows: /true question/,
      answer: (word) => quietly(() => rows(word).length > 0, false),
    },
    {
      name: 'rows of another table',
      shows: /words were joined/,
      answer: (word) => quietly(() => JSON.stringify(rows(word)), ''),
    },
    {
      name: 'work for the database',
      shows: /delay/,
      answer: (word) => quietly(() => void rows(word), undefined) ?? 'thanks',
    },
    {
      name: 'two statements at once',
      shows: /injected table/,
      answer: (word) =>
        quietly(() => void open.exec(`update thing set secret = '' where name = '${String(word)}'`), undefined) ??
        'done',
    },
  ]
}

/** The same in PostgreSQL, which also has a sleep function. */
function weaknessesOf(client: pg.Client): Planted[] {
  async function count(word: unknown): Promise<number> {
    try {
      // Running both statements is the planted mistake; the second one only reads.
      await client.query(`begin read only; select name from thing where name = '${String(word)}'`)
      return 1
    } finally {
      await client.query('rollback')
    }
  }
  return [
    { name: 'an error of PostgreSQL', shows: /a database speaks/, answer: count },
    {
      name: 'a sleep of PostgreSQL',
      shows: /delay/,
      answer: async (word) => {
        await count(word).catch(() => 0)
        return 'thanks'
      },
    },
  ]
}

function otherWeaknesses(canaryFile: string): Planted[] {
  const folder = dirname(canaryFile)
  const shell = (command: string): Promise<string> =>
    promisify(exec)(command, { timeout: SHELL_WITHIN_MS, cwd: folder }).then(
      ({ stdout }) => stdout,
      () => '',
    )
  return [
    {
      name: 'a command',
      shows: /words were calculated|canary/,
      answer: (word) => shell(`echo ${String(word)}`),
    },
    {
      name: 'a silent command',
      shows: /delay/,
      answer: async (word) => {
        await shell(`echo ${String(word)}`)
        return 'thanks'
      },
    },
    {
      name: 'a template',
      shows: /words were calculated/,
      // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the mistake that is to be found
      answer: (word) => quietly(() => new Function(`return \`${String(word)}\``)() as string, ''),
    },
    {
      name: 'a path',
      shows: /a file is exposed/,
      answer: (word) => quietly(() => readFileSync(join(folder, String(word)), 'utf8'), 'nothing'),
    },
    {
      name: 'an entity from outside',
      shows: /canary/,
      answer: async (word) => {
        const address = /SYSTEM "([^"]+)"/.exec(String(word))?.[1]
        if (address?.startsWith('http')) await fetch(address).catch(() => null)
        return 'read'
      },
    },
    {
      name: 'a query by objects',
      shows: /object was taken/,
      answer: (word) => {
        if (typeof word === 'object' && word !== null && '$ne' in word) return 'welcome'
        throw new Error('refused')
      },
    },
  ]
}
