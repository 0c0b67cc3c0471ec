import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import type { HttpResponse } from '#tests/trust/http.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const HOUR_MS = 3_600_000
const SAMPLES = [
  'annual@example.org',
  'life@example.org',
  'lapsed@example.org',
  'student@example.org',
  'officer@example.org',
]

export const row: TrustRow = {
  id: 'T21',
  promise: 'No token without proof',
  gate: true,
  target:
    'checkout/start with every known email; verify-session replayed, nonce swapped, after 60 min, from another browser: 0 tokens; reload shows success without token',
  async run({ world: start, count }) {
    const each = count(25, 3)
    const world = await start({ instances: 2 })
    await world.control({ webhooks: 'drop' })
    const faults = new Faults()
    const responses: HttpResponse[] = []
    const seen = (response: HttpResponse): HttpResponse => {
      responses.push(response)
      faults.expect(!response.body?.token, 'token without proof', response.text)
      return response
    }

    const waiting = await inParallel(Array.from({ length: each }), 10, async (_, turn) => {
      const person = newPerson({ levelKey: turn % 2 ? 'medical_student' : 'annual_member' })
      const owner = new Visitor(world)
      expectStatus(await owner.register(person), 201, 'register')
      return { person, owner }
    })
    const verified = waiting.slice(0, Math.ceil(each / 2))
    // The owner's link opened elsewhere, by a scanner: it verifies, and that browser gets nothing.
    const scanners = await inParallel(verified, 5, async ({ person }) => {
      const scanner = new Visitor(world)
      const response = seen(expectStatus(await scanner.verify(person.email), 200, 'verify-email'))
      faults.expect(response.body.granted === false, 'scanner granted', response.text)
      return { person, scanner }
    })

    const known = [...SAMPLES, ...waiting.map(({ person }) => person.email), 'nobody@example.net', '']
    await startWithoutProof(world, known, seen, faults)
    for (const { person, scanner } of scanners) {
      const reply = seen(await scanner.start(person))
      faults.expect(
        reply.status === 403 && reply.body.code === 'VERIFICATION_REQUIRED',
        'scanner may start',
        reply.text,
      )
    }
    // The proof of one registration is not valid for another.
    const [first, second] = verified
    if (first && second) {
      expectStatus(await first.owner.verify(first.person.email), 200, 'verify-email')
      const result = seen(await first.owner.start({ ...second.person }))
      faults.expect(result.status === 403, 'grant of another', result.text)
    }

    const payers = await inParallel(Array.from({ length: each * 2 }), 10, async () => {
      const visitor = new Visitor(world)
      return { visitor, search: await visitor.pay(newPerson()) }
    })
    const soon = payers.slice(0, each)
    for (const [turn, { visitor, search }] of soon.entries()) {
      const session = new URLSearchParams(search).get('session_id') ?? ''
      const other = new URLSearchParams(soon[(turn + 1) % soon.length]?.search ?? '')
      seen(await visitor.verifySession(`?session_id=${session}&nonce=${other.get('nonce')}`))
      seen(await visitor.verifySession(`?session_id=${session}&nonce=`))
      const elsewhere = seen(await new Visitor(world).verifySession(search))
      faults.expect(elsewhere.body?.ready === true, 'another device not told that it is paid', elsewhere.text)
      const stranger = new Visitor(world)
      for (const [name, value] of soon[(turn + 1) % soon.length]?.visitor.cookies ?? [])
        stranger.cookies.set(name, value)
      seen(await stranger.verifySession(search))
      // Finally the payer, ten times in parallel: one token.
      const tries = await inParallel(Array.from({ length: 10 }), 10, () => visitor.verifySession(search))
      const tokens = tries.filter(({ body }) => body?.token).length
      faults.expect(tokens === 1, 'nonce not usable once', String(tokens))
      const reload = seen(await visitor.verifySession(search))
      faults.expect(reload.status === 200 && reload.body.ready === true, 'reload shows no success', reload.text)
    }

    await world.control({ advanceMs: HOUR_MS + 60_000 })
    for (const { visitor, search } of payers.slice(each)) {
      const late = seen(await visitor.verifySession(search))
      faults.expect(late.status === 200 && late.body.ready === true, 'late page shows no success', late.text)
    }
    return {
      passed: faults.count === 0,
      reached: `${faults.countOf('token without proof')} tokens in ${responses.length} calls without proof (${tally(responses.map(({ status }) => status))}); ${soon.length} nonces used once of 10 tries at once; faults: ${faults}`,
    }
  },
}

async function startWithoutProof(
  world: World,
  emails: readonly string[],
  seen: (response: HttpResponse) => HttpResponse,
  faults: Faults,
): Promise<void> {
  const levels = ['medical_student', 'annual_member', 'life_member']
  for (const email of emails) {
    const shapes = new Set<string>()
    for (const levelKey of levels) {
      const person: Person = newPerson({ email, levelKey })
      const answer = seen(await new Visitor(world).start(person))
      shapes.add(`${answer.status} ${answer.text}`)
      const isRefused = answer.status === 403 || (email === '' && answer.status === 400)
      faults.expect(isRefused, `start without proof answered ${answer.status}`, answer.text)
      faults.expect(answer.headers['set-cookie'] === undefined, 'cookie without proof')
    }
    faults.expect(shapes.size === 1, 'answer depends on the level')
  }
}
