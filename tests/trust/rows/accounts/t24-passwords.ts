import { messages } from '#contract/messages.ts'
import { newPerson, Visitor, expectStatus } from '#tests/trust/people.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel, percentile, tally } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const LONGEST_REFUSAL_MS = 50
const { required, short, long, common, personal } = messages.password

/** A person whose own name and address are tried as passwords. */
const APPLICANT = { firstName: 'Bartholomew', lastName: 'Vaidyanathan', username: 'bartvaidya' }

/** The table of password rules: a password and its error; null: accepted, and it can be used to log in. */
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
  target: 'a table of 60 passwords: documented result 60 of 60; 1 MB: 413 or 400 in under 50 ms',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const right = await inParallel(TABLE, 4, async ([password, response], turn) => {
      const fits =
        response === null
          ? await isTaken(world, String(password), turn)
          : await isRefused(world, password, response, turn)
      faults.expect(fits, 'other than documented', JSON.stringify(password)?.slice(0, 60))
      return fits
    })

    const large = 'x'.repeat(1_048_576)
    const refusals = await inParallel(Array.from({ length: 40 }), 1, () =>
      request(world.site.origin, {
        method: 'POST',
        path: '/api/auth/register',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...newPerson(), password: large }),
      }),
    )
    for (const { status } of refusals) faults.expect(status === 413 || status === 400, `1 MB answered ${status}`)
    // The median, to exclude other load on the machine.
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

function newApplicant(turn: number) {
  return newPerson({
    ...APPLICANT,
    username: APPLICANT.username,
    email: `person+${turn}@example.com`,
    levelKey: 'medical_student',
  })
}

async function isRefused(world: World, password: unknown, response: string, turn: number): Promise<boolean> {
  const person =
    password === 'person@example.com' ? { ...newApplicant(turn), email: 'person@example.com' } : newApplicant(turn)
  const { status, body } = await new Visitor(world).register({ ...person, password: password as string })
  return status === 400 && body.errors?.password === response && Object.keys(body.errors as object).length === 1
}

/** Registers, joins, and logs in with exactly this password; variants with another last character, trimmed or truncated must fail. */
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
