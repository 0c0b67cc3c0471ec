import { messages } from '#contract/messages.ts'
import { newPerson, Visitor, expectStatus } from '../people.ts'
import { ask } from '../http.ts'
import { inParallel, percentile, tally } from '../load.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

const LONGEST_REFUSAL_MS = 50
const { required, short, long, common, personal } = messages.password

/** Somebody whose own name and address are tried as passwords. */
const SOMEBODY = { firstName: 'Bartholomew', lastName: 'Vaidyanathan', username: 'bartvaidya' }

/** The table of password rules: a password, and what is said to it; null: taken, and the same one logs in. */
const TABLE: [password: unknown, answer: string | null][] = [
  ['', required],
  [null, required],
  [123456789, required],
  [['monsoon-in-macon'], required],
  [{ $ne: '' }, required],
  [true, required],
  ['a', short],
  ['abcde', short],
  ['12345', short],
  ['     ', short],
  ['ééééé', short],
  ['xQ7#p', short],
  ['x'.repeat(129), long],
  ['x'.repeat(1_000), long],
  ['é'.repeat(129), long],
  ['monsoon '.repeat(20), long],
  ['123456', common],
  ['password', common],
  ['PASSWORD', common],
  ['Password1', common],
  ['qwerty', common],
  ['abc123', common],
  ['111111', common],
  ['iloveyou', common],
  ['letmein', common],
  ['welcome1', common],
  ['dragon', common],
  ['monkey', common],
  ['sunshine', common],
  ['football', common],
  ['changeme', common],
  ['1q2w3e4r', common],
  ['atlanta1', common],
  ['doctor123', common],
  ['  password  ', common],
  ['ｐａｓｓｗｏｒｄ', common],
  ['bartvaidya', personal],
  ['BARTVAIDYA', personal],
  ['Bartholomew', personal],
  ['vaidyanathan', personal],
  ['BartholomewVaidyanathan', personal],
  ['Bartholomew Vaidyanathan', personal],
  ['VaidyanathanBartholomew', personal],
  ['person@example.com', personal],
  ['xQ7#pl', null],
  ['monsoon in macon', null],
  [' spaces around them ', null],
  ['      x', null],
  ['😀😀😀😀😀😀', null],
  ['👩‍⚕️ doctors only', null],
  ['पासवर्ड-लंबा', null],
  ['密码很长很长', null],
  ['naïve café', null],
  ['nul\u0000inside-it', null],
  ['tab\tand\nnewline', null],
  [`q${'x'.repeat(71)}`, null],
  [`q${'x'.repeat(72)}`, null],
  [`q${'é'.repeat(36)}`, null],
  ['q'.repeat(127) + 'z', null],
  ["'; drop table account; --", null],
]

export const row: TrustRow = {
  id: 'T24',
  promise: 'Password rules',
  gate: false,
  undisturbed: true,
  target: 'a table of 60 passwords: documented answer 60 of 60; 1 MB: 413 or 400 in under 50 ms',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const right = await inParallel(TABLE, 4, async ([password, answer], turn) => {
      const fits =
        answer === null ? await isTaken(world, String(password), turn) : await isRefused(world, password, answer, turn)
      faults.expect(fits, 'other than documented', JSON.stringify(password)?.slice(0, 60))
      return fits
    })

    const large = 'x'.repeat(1_048_576)
    const refusals = await inParallel(Array.from({ length: 40 }), 1, () =>
      ask(world.site.origin, {
        method: 'POST',
        path: '/api/auth/register',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...newPerson(), password: large }),
      }),
    )
    for (const { status } of refusals) faults.expect(status === 413 || status === 400, `1 MB answered ${status}`)
    // The median: what else the machine does at one moment is not this promise.
    const median = percentile(
      refusals.map(({ ms }) => ms),
      0.5,
    )
    faults.expect(median < LONGEST_REFUSAL_MS, '1 MB refused too slowly', `${median}`)
    return {
      passed: faults.count === 0 && TABLE.length === 60,
      reached: `${right.filter(Boolean).length} of ${TABLE.length} as documented; 1 MB: ${tally(refusals.map(({ status }) => status))}, median ${median.toFixed(0)} ms; faults: ${faults}`,
    }
  },
}

function somebody(turn: number) {
  return newPerson({
    ...SOMEBODY,
    username: SOMEBODY.username,
    email: `person+${turn}@example.com`,
    levelKey: 'medical_student',
  })
}

async function isRefused(world: World, password: unknown, answer: string, turn: number): Promise<boolean> {
  const person = password === 'person@example.com' ? { ...somebody(turn), email: 'person@example.com' } : somebody(turn)
  const { status, body } = await new Visitor(world).register({ ...person, password: password as string })
  return status === 400 && body.errors?.password === answer && Object.keys(body.errors as object).length === 1
}

/** Registers, joins, and logs in with the very same; not with one that differs in its last character, nor with a trimmed or cut one. */
async function isTaken(world: World, password: string, turn: number): Promise<boolean> {
  const person = { ...newPerson({ levelKey: 'medical_student' }), username: `taken${turn}`, password }
  await new Visitor(world).join(person)
  expectStatus(await new Visitor(world).logIn(person.email, password), 200, `login with ${JSON.stringify(password)}`)
  const others = [
    `${password}x`,
    `${[...password].slice(0, -1).join('')}~`,
    password.split('\u0000')[0] ?? '',
    password.trim(),
  ]
  for (const other of others.filter((candidate) => candidate !== password)) {
    const { status } = await new Visitor(world).logIn(person.email, other)
    if (status !== 401) return false
  }
  return true
}
