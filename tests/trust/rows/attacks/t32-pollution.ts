import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '#contract/all-endpoints.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel, tally, until } from '#tests/trust/load.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { snapshotOf } from '#tests/trust/faults/snapshot.ts'
import type { World } from '#tests/trust/site.ts'

const MARK = 'polluted_by_trust'

/** Bodies as raw text: `JSON.stringify` would drop the interesting keys. */
const BODIES = [
  `{"__proto__":{"${MARK}":1}}`,
  `{"constructor":{"prototype":{"${MARK}":1}}}`,
  `{"__proto__":null}`,
  `{"__proto__":[{"${MARK}":1}]}`,
  `{"\\u005f_proto__":{"${MARK}":1}}`,
  `{"email":{"__proto__":{"${MARK}":1}}}`,
  `{"email":"a@example.com","__proto__":{"isOfficer":true,"${MARK}":1}}`,
  `{"token":"x","password":{"__proto__":{"${MARK}":1}}}`,
  `{"token":"x","constructor":{"prototype":{"${MARK}":1}}}`,
  `{"levelKey":"__proto__"}`,
  `{"levelKey":"constructor"}`,
  `{"levelKey":"toString","email":"a@example.com"}`,
  `{"identifier":"__proto__","password":"x","recaptchaToken":"y"}`,
  `{"identifier":{"__proto__":{"${MARK}":1}},"password":"x"}`,
  `{"email":"a@example.com","email":"b@example.com"}`,
  `{"levelKey":"annual_member","levelKey":"medical_student","email":"a@example.com"}`,
  `[{"__proto__":{"${MARK}":1}}]`,
  `{"a":{"b":{"c":{"__proto__":{"${MARK}":1}}}}}`,
  `{"prototype":{"${MARK}":1}}`,
  `{"hasOwnProperty":1,"toString":2,"valueOf":3,"toJSON":4}`,
  `{"then":"x","email":"a@example.com"}`,
  `{"__defineGetter__":"x","__lookupGetter__":"x","__defineSetter__":"x"}`,
]

const QUERIES = [
  `__proto__[${MARK}]=1`,
  `__proto__.${MARK}=1`,
  `constructor[prototype][${MARK}]=1`,
  `constructor.prototype.${MARK}=1`,
  `__proto__=${MARK}`,
  `a[__proto__][${MARK}]=1`,
  'session_id=a&session_id=b&nonce=c',
  'session_id[]=a&nonce=c',
  'session_id=a&nonce=b&nonce=c',
  'session_id[$ne]=a&nonce=c',
  'sessionId=a&sessionId=b',
  'sessionId[__proto__]=b',
  'session_id=__proto__&nonce=constructor',
  'sessionId=hasOwnProperty',
  `session_id=a;nonce=b;__proto__=${MARK}`,
  '%5F%5Fproto%5F%5F%5Bx%5D=1',
]

const HEADERS: Record<string, string>[] = [
  { cookie: `__proto__=${MARK}; constructor=${MARK}; grant=__proto__` },
  { __proto__x: MARK, 'x-forwarded-for': '__proto__', authorization: 'Bearer __proto__' },
]

/** A member may get another session in the meantime. */
const KEPT = ['account', 'membership', 'payment', 'checkout', 'pendingRegistration'] as const

/** Every call except the one that ends the session the others need. */
const calls = endpoints.filter(({ name }) => name !== 'signOutEverywhere')

export const row: TrustRow = {
  id: 'T32',
  promise: 'Prototype and parameter pollution',
  gate: false,
  target: '40 payloads in body, query and headers: Object.prototype unchanged (probe), 4xx or ignored',
  async run({ world: start }) {
    const file = join(tmpdir(), `trust-prototypes-${process.pid}.json`)
    const world = await start({
      nodeOptions: ['--import', join(import.meta.dirname, '..', '..', 'attacks', 'prototype-probe.ts')],
      environment: { PROTOTYPE_PROBE: file },
    })
    const member = new Visitor(world)
    await member.join(newPerson({ levelKey: 'medical_student' }))
    await world.quiet()
    const faults = new Faults()
    const before = await probe(world, file)
    const [levels, state] = [await levelsOf(world), await snapshotOf(world, KEPT)]

    const reads = calls.filter(({ method }) => method === 'GET')
    const writes = calls.filter(({ method, access }) => method === 'POST' && access !== 'signed')
    const asked = [
      ...BODIES.flatMap((body) => writes.map(({ path }) => ({ method: 'POST', path, body, headers: {} }))),
      ...QUERIES.flatMap((query) =>
        calls.map(({ method, path }) => ({
          method,
          path: `${path}?${query}`,
          body: method === 'POST' ? '{}' : undefined,
          headers: {},
        })),
      ),
      ...HEADERS.flatMap((headers) => reads.map(({ method, path }) => ({ method, path, body: undefined, headers }))),
    ]
    const statuses = await inParallel(asked, 8, async ({ method, path, body, headers }) => {
      const response = await request(world.site.origin, {
        method,
        path,
        headers: {
          authorization: `Bearer ${member.token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      })
      faults.expect(response.status < 500, `${method} ${path} answered ${response.status}`, body)
      faults.expect(!response.text.includes(MARK), `${path} gave it back`, response.text)
      return response.status
    })
    faults.expect((await probe(world, file)) === before, 'a prototype changed', await probe(world, file))
    faults.expect((await levelsOf(world)) === levels, 'answers changed')
    await world.quiet()
    faults.expect((await snapshotOf(world, KEPT)) === state, 'something was stored')
    faults.expect(!(await snapshotOf(world)).includes(MARK), 'the mark was stored')
    rmSync(file, { force: true })
    const payloads = BODIES.length + QUERIES.length + HEADERS.length
    return {
      passed: faults.count === 0 && payloads === 40,
      reached: `${payloads} payloads in ${asked.length} requests (${tally(statuses)}), prototypes ${faults.countOf('a prototype changed') === 0 ? 'unchanged' : 'CHANGED'}; faults: ${faults}`,
    }
  },
}

async function probe(world: World, file: string): Promise<string> {
  rmSync(file, { force: true })
  world.site.program.child.kill('SIGUSR2')
  const written = await until(
    async () => existsSync(file) && readFileSync(file, 'utf8').endsWith(']') && readFileSync(file, 'utf8'),
  )
  if (!written) throw new Error('The probe did not answer')
  return written
}

async function levelsOf(world: World): Promise<string> {
  return (await request(world.site.origin, { path: '/api/membership-levels' })).text
}
