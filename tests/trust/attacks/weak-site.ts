import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { freePort } from '../faults/processes.ts'

const THINGS = `create table thing (id integer, name text); insert into thing values (1, 'lamp'), (2, 'drum'), (3, 'kite')`
const HOME = `<!doctype html><title>Weak</title>
<a href="/thing?id=1">One</a> <a href="/greet?name=Leela">Greet</a> <a href="/go?to=/thing">Go</a> <a href="/read?file=notes.txt">Read</a>`
/** What a file of accounts begins with. */
const ACCOUNTS = 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n'

/** The weaknesses as wapiti names them. */
export const WEAKNESSES = ['SQL Injection', 'Cross Site Scripting', 'Open Redirect', 'Path Traversal'] as const

/** Two calls with the same injectable statement: by query and by JSON body. */
export const INJECTABLE: readonly { path: string; data?: object }[] = [
  { path: '/thing?id=1' },
  { path: '/thing', data: { id: '1' } },
]

/** A site with every mistake that the scanners should find, on this machine only: if they miss one, finding nothing elsewhere means nothing. */
export async function startWeakSite(): Promise<{ origin: string; close(): void }> {
  const database = new Database(':memory:')
  database.exec(THINGS)

  function findThing(id: string): string {
    try {
      const rows = database.prepare(`select name from thing where id = ${id}`).all() as { name: string }[]
      return rows.map(({ name }) => `<li>${name}</li>`).join('')
    } catch (error) {
      return `SQLite error: [SQLITE_ERROR] ${(error as Error).message}`
    }
  }

  async function respond(request: IncomingMessage): Promise<{ status: number; headers?: object; body: string }> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://weak.invalid')
    const value = (name: string) => searchParams.get(name) ?? ''
    switch (pathname) {
      case '/':
        return { status: 200, body: HOME }
      case '/thing': {
        const posted = request.method === 'POST' ? idIn(await text(request)) : null
        return { status: 200, body: `<h1>Things</h1><ul>${findThing(posted ?? value('id'))}</ul>` }
      }
      case '/greet':
        return { status: 200, body: `<h1>Hello ${value('name')}</h1>` }
      case '/go':
        return { status: 302, headers: { location: value('to').replaceAll(/[^!-~]/g, '') }, body: '' }
      case '/read':
        // Only says what such a page would show, since scanners ask for any file.
        return { status: 200, body: /(?:^|\/)etc\/passwd$/.test(value('file')) ? ACCOUNTS : 'No such file' }
      default:
        return { status: 404, body: 'Not found' }
    }
  }

  const server = createServer((request, response) => {
    void respond(request)
      .catch(() => ({ status: 400, headers: {}, body: 'Bad request' }))
      .then(({ status, headers, body }) => {
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
      })
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
      database.close()
    },
  }
}

function idIn(body: string): string {
  try {
    return String((JSON.parse(body) as { id: unknown }).id)
  } catch {
    return ''
  }
}
