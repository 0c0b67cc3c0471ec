import { generateKeyPairSync } from 'node:crypto'
import { createCampaign, setSubscribers, startMailing } from '#tests/support/newsletter.ts'
import { request } from '#tests/trust/http.ts'
import { tally, until } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const LOOKS = 100

export const row: TrustRow = {
  id: 'T52',
  promise: 'One-click unsubscribe',
  gate: true,
  target:
    'POST 2xx without cookie or redirect, unsubscribed immediately, also when repeated; GET and HEAD x 100 and wrong ids: 0 effects; both headers in the DKIM h=',
  quick: true,
  async run({ world: start, count, random }) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const world = await start({
      environment: {
        DKIM_DOMAIN: 'example.org',
        DKIM_SELECTOR: 'trust',
        DKIM_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })).replaceAll('\n', '\\n'),
      },
    })
    const faults = new Faults()
    const readers = await setSubscribers(world.database.db, count(40, 8))
    const campaign = createCampaign({ id: 'one-click' })
    await startMailing(world.database.db, campaign)
    const links = new Map<string, URL>()
    for (const email of readers) {
      const copy = await until(async () => (await copies(world, email))[0])
      if (!copy) throw new Error(`No newsletter came to ${email}`)
      links.set(email, readHeaders(copy, faults))
    }
    const looks = await lookOften(world, [...links.values()], count(LOOKS, 20), faults)
    const wrong = await pressWrong(world, [...links.values()][0] as URL, faults)
    const statuses: number[] = []
    const leaving = random.shuffle(readers).slice(0, readers.length / 2)
    for (const email of leaving) {
      for (let press = 0; press < 2; press++) statuses.push(await pressButton(links.get(email) as URL, faults))
      faults.expect(!(await isSubscribed(world, email)), 'still subscribed', email)
    }
    for (const email of readers.filter((one) => !leaving.includes(one)))
      faults.expect(await isSubscribed(world, email), 'another subscriber was unsubscribed', email)
    await startMailing(world.database.db, { ...campaign, id: 'after-it', subject: 'After it' })
    const rest = readers.filter((email) => !leaving.includes(email))
    await until(async () => {
      const arrived = await Promise.all(rest.map(async (email) => (await copies(world, email, 'After it')).length > 0))
      return arrived.every(Boolean)
    })
    for (const email of leaving)
      faults.expect((await copies(world, email, 'After it')).length === 0, 'written to after leaving', email)
    return {
      passed: faults.count === 0,
      reached: `${leaving.length} of ${readers.length} readers left by POST, each twice (${tally(statuses)}); ${looks} GET and HEAD changed nothing; ${wrong} wrong ids refused; both headers signed in ${links.size} of ${links.size} copies; faults: ${faults}`,
    }
  },
}

interface Copy {
  id: string
  subject: string
  headers: Record<string, string>
}

async function copies(world: World, email: string, subject = 'News of November'): Promise<Copy[]> {
  const emails = (await world.mailbox.emailsTo(email)) as unknown as Copy[]
  return emails.filter((email) => email.subject === subject)
}

/** The unsubscribe URL, from headers covered by the signature. */
function readHeaders({ headers }: Copy, faults: Faults): URL {
  const link = /^<(https?:\/\/[^>]+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1]
  faults.expect(headers['list-unsubscribe-post'] === 'List-Unsubscribe=One-Click', 'no List-Unsubscribe-Post')
  const signed =
    /\bh=([^;]+)/
      .exec(headers['dkim-signature'] ?? '')?.[1]
      ?.toLowerCase()
      .replaceAll(/\s/g, '')
      .split(':') ?? []
  for (const name of ['list-unsubscribe', 'list-unsubscribe-post', 'list-id'])
    faults.expect(signed.includes(name), `${name} is not signed`, signed.join(':'))
  if (!link) throw new Error('A newsletter without List-Unsubscribe')
  return new URL(link)
}

async function pressButton(link: URL, faults: Faults): Promise<number> {
  const { status, headers } = await request(link.origin, {
    method: 'POST',
    path: link.pathname + link.search,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  faults.expect(status >= 200 && status < 300, 'the button was refused', String(status))
  faults.expect(headers.location === undefined && headers['set-cookie'] === undefined, 'redirect or cookie')
  return status
}

async function lookOften(world: World, links: readonly URL[], times: number, faults: Faults): Promise<number> {
  const before = await countSubscribed(world)
  for (let turn = 0; turn < times; turn++) {
    const link = links[turn % links.length] as URL
    const { status } = await request(link.origin, {
      method: turn % 2 === 0 ? 'GET' : 'HEAD',
      path: link.pathname + link.search,
    })
    faults.expect(status < 400, 'looking is refused', String(status))
  }
  await world.quiet()
  faults.expect((await countSubscribed(world)) === before, 'a GET or HEAD unsubscribed someone')
  return times
}

async function pressWrong(world: World, link: URL, faults: Faults): Promise<number> {
  const before = await countSubscribed(world)
  const token = link.searchParams.get('token') ?? ''
  const [id = '', mac = ''] = token.split('.')
  const wrong = [
    '',
    'x',
    id,
    `${id}.`,
    `.${mac}`,
    `${id}x.${mac}`,
    `${id}.${mac}x`,
    `${id}.${mac.slice(1)}`,
    `${token}.${mac}`,
  ]
  for (const one of wrong) {
    const path = `${link.pathname}?${new URLSearchParams({ token: one })}`
    const { status } = await request(link.origin, { method: 'POST', path, body: 'List-Unsubscribe=One-Click' })
    faults.expect(status >= 400 && status < 500, 'a wrong id was taken', `${one}: ${status}`)
  }
  faults.expect((await countSubscribed(world)) === before, 'a wrong id unsubscribed someone')
  return wrong.length
}

async function countSubscribed({ database: { db } }: World): Promise<number> {
  const row = await db
    .selectFrom('subscriber')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', '=', 'subscribed')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function isSubscribed({ database: { db } }: World, email: string): Promise<boolean> {
  const row = await db.selectFrom('subscriber').select('state').where('email', '=', email).executeTakeFirst()
  return row?.state === 'subscribed'
}
