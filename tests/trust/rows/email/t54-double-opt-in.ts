import { createCampaign, setSubscribers, startMailing } from '#tests/support/newsletter.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { inParallel, until } from '#tests/trust/load.ts'
import { botToken, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const SUBJECT = 'News of November'

export const row: TrustRow = {
  id: 'T54',
  promise: 'Double opt-in and list hygiene',
  gate: false,
  target:
    'subscribing other people, repeated requests, double confirmation, unsubscribing strangers: 0 newsletters before confirmation; uniform responses',
  async run({ world: start, count }) {
    const world = await start()
    const faults = new Faults()
    const size = count(100, 12)
    await setSubscribers(world.database.db, 1)
    const people = (kind: string) => Array.from({ length: size }, (_, turn) => `${kind}${turn}@example.net`)
    const others = people('other')
    const owners = people('owner')
    const leavers = people('leaver')
    const strangers = people('stranger')
    const responses = new Set<string>()

    await inParallel([...others, ...owners, ...leavers], 8, async (email) => {
      for (let turn = 0; turn < 2; turn++) responses.add(shape(await askFor(world, email)))
    })
    await world.quiet()
    await inParallel([...owners, ...leavers], 8, async (email) => {
      for (let turn = 0; turn < 2; turn++) {
        const { status } = await confirm(world, email)
        faults.expect(status === 200, 'confirming was refused', `${email}: ${status}`)
      }
    })
    const left = new Set<string>()
    await inParallel([...leavers, ...strangers], 8, async (email) => {
      left.add(shape(await new Visitor(world).post('/api/newsletter/unsubscribe', { email })))
    })
    // A person who unsubscribed stays unsubscribed when someone else signs them up, until they confirm.
    await inParallel(leavers, 8, async (email) => void responses.add(shape(await askFor(world, email))))
    await world.quiet()
    faults.expect(responses.size === 1, 'subscribing answers differ', [...responses].join(' <> '))
    faults.expect(left.size === 1, 'leaving answers differ', [...left].join(' <> '))

    await startMailing(world.database.db, createCampaign({ id: 'hygiene', subject: SUBJECT }))
    const arrived = await until(
      async () =>
        (await world.database.db.selectFrom('mailing').select('state').executeTakeFirst())?.state === 'finished',
      { withinMs: 60_000 },
    )
    faults.expect(arrived !== null, 'the mailing did not end')
    for (const email of [...others, ...leavers, ...strangers])
      faults.expect((await newsletters(world, email)) === 0, 'list mail without consent', email)
    for (const email of owners)
      faults.expect((await newsletters(world, email)) === 1, 'a reader did not get one', email)
    for (const email of strangers)
      faults.expect((await world.mailbox.emailsTo(email)).length === 0, 'a stranger was written to', email)
    return {
      passed: faults.count === 0,
      reached: `${size} subscribed by others and ${size} who left: 0 list mail; ${size} who confirmed twice: 1 each; ${size} strangers unsubscribed: 0 mail; answers alike ${responses.size === 1 && left.size === 1 ? 'yes' : 'no'}; faults: ${faults}`,
    }
  },
}

async function askFor(world: World, email: string) {
  const recaptchaToken = await botToken(world, 'newsletter_subscribe')
  return new Visitor(world).post('/api/newsletter/subscribe', { email, source: 'homepage', recaptchaToken })
}

async function confirm(world: World, email: string) {
  const link = await world.mailbox.link(email, '/newsletter/confirm')
  return new Visitor(world).post('/api/newsletter/confirm', { token: secretIn(link) })
}

async function newsletters(world: World, email: string): Promise<number> {
  return (await world.mailbox.emailsTo(email)).filter(({ subject }) => subject === SUBJECT).length
}

function shape({ status, text }: { status: number; text: string }): string {
  return `${status} ${text}`
}
