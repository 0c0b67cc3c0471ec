import { newPerson, Visitor, expectStatus } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const MOST_HASHED = 100
const ADDRESSES = 50

export const row: TrustRow = {
  id: 'T25',
  promise: 'Guessing',
  gate: false,
  target:
    '1,000 wrong for one account from 50 addresses, 1 wrong for 1,000 accounts from one: <= 100 attempts reach the hash; the owner can log in or reset immediately',
  async run({ world: start, count, random }) {
    const tries = count(1_000, 200)
    const world = await start({ instances: 2, rateLimits: 'on' })
    const faults = new Faults()
    const addressOf = (turn: number) => `198.51.100.${(turn % ADDRESSES) + 1}`

    const known = new Visitor(world, { address: '203.0.113.1' })
    const person = await known.join(newPerson({ levelKey: 'medical_student' }))
    expectStatus(await known.logIn(person.username, person.password), 200, 'login of the owner')
    known.token = null

    const guesses = await inParallel(Array.from({ length: tries }), 50, async (_, turn) => {
      const guesser = new Visitor(world, { site: world.siteOf(turn), address: addressOf(turn) })
      const { status } = await guesser.logIn(random.pick([person.email, person.username]), `guess-${turn}`)
      return status
    })
    const hashed = guesses.filter((status) => status === 401).length
    faults.expect(hashed <= MOST_HASHED, 'too many guesses at one account', String(hashed))
    faults.expect(
      guesses.every((status) => status === 401 || status === 429),
      'other answers',
      tally(guesses),
    )

    const owner = await known.logIn(person.email, person.password)
    faults.expect(owner.status === 200, `owner's own browser answered ${owner.status}`, owner.text)
    // On a new device the owner resets the password and is logged in.
    const newDevice = new Visitor(world, { address: '203.0.113.2' })
    const locked = await newDevice.logIn(person.email, person.password)
    expectStatus(await newDevice.forgotPassword(person.email), 200, 'forgot-password')
    const link = await world.mailbox.link(person.email, '/reset-password')
    const newPassword = 'a-new-one-for-the-owner'
    const reset = await newDevice.post('/api/email/reset-password', {
      token: link.searchParams.get('token'),
      userId: link.searchParams.get('userId'),
      newPassword,
    })
    faults.expect(reset.status === 200, `reset answered ${reset.status}`, reset.text)
    const afterReset = await newDevice.logIn(person.email, newPassword)
    faults.expect(afterReset.status === 200, `log-in after the reset answered ${afterReset.status}`, afterReset.text)

    const accounts = [
      'annual@example.org',
      'life@example.org',
      'lapsed@example.org',
      'student@example.org',
      'officer@example.org',
    ]
    const names = Array.from({ length: tries }, (_, turn) => accounts[turn] ?? `member.${turn}@example.com`)
    const sprayed = await inParallel(random.shuffle(names), 20, async (name, turn) => {
      const sprayer = new Visitor(world, { site: world.siteOf(turn), address: '192.0.2.77' })
      return (await sprayer.logIn(name, 'Summer2026!')).status
    })
    const sprayedHashed = sprayed.filter((status) => status === 401).length
    faults.expect(sprayedHashed <= MOST_HASHED, 'too many guesses from one address', String(sprayedHashed))
    const other = await new Visitor(world, { address: '203.0.113.3' }).logIn('annual@example.org', 'Peachtree-1987')
    faults.expect(other.status === 200, `another owner answered ${other.status}`, other.text)
    return {
      passed: faults.count === 0,
      reached:
        `one account: ${hashed} of ${tries} reached the hash; one address: ${sprayedHashed} of ${tries}; owner: known browser ${owner.status}, ` +
        `new device ${locked.status}, reset ${reset.status}, log-in after it ${afterReset.status}; faults: ${faults}`,
      notes: 'Of the 1,000 accounts tried from one address 5 exist; the limit does not know which do',
    }
  },
}
