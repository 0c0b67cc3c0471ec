import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { buildSite } from '#tools/build.ts'
import { request } from '#tests/trust/http.ts'
import { askForSeat, openEvent, rsvpToken } from '#tests/trust/events.ts'
import { until } from '#tests/trust/load.ts'
import { linkIn, linksIn } from '#tests/trust/mailbox.ts'
import { expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import {
  requestSubscription,
  openSponsorForm,
  orderSponsorship,
  sendMessage,
} from '#tests/trust/browser/public-forms.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { startShippedProxies } from '#tests/trust/faults/shipped-proxies.ts'
import { SESSION_SECRET, type World } from '#tests/trust/site.ts'
import { WEBHOOK_SECRET } from '#tests/trust/provider.ts'

const CARD = '4111 1111 1111 1111'
const PAGES = ['/', '/auth/login', '/contact', '/newsletter', '/auth/account', '/no-such-page']
const METRICS_TOKEN = 'canary-metrics-token-of-this-row'
/** The output buffer of the programs; more output would be dropped unchecked. */
const KEPT_OUTPUT = 200_000

/** A secret or personal value used in a flow, and where it may appear. */
interface Canary {
  name: string
  value: string
  mayBeStored?: true
}

export const row: TrustRow = {
  id: 'T64',
  promise: 'Secrets and logs',
  gate: true,
  target:
    'canaries through all flows (passwords, links, nonces, tokens, card-like number, message, address): 0 in logs at level debug, HTML and bundles, and in the logs of nginx and Caddy with the shipped files, also while the site is down; the database stores only hashes of secrets',
  async run({ world: start }) {
    const faults = new Faults()
    const world = await start({ pages: true, environment: { LOG_LEVEL: 'debug', METRICS_TOKEN } })
    const canaries = [...keysOfTheSite(), ...(await walkThrough(world))]
    await world.quiet()
    const log = world.site.program.output + world.site.program.errors
    faults.expect(log.length < KEPT_OUTPUT, 'more log than is kept', String(log.length))
    faults.expect(log.includes('/api/auth/login') && log.includes('page answered'), 'the log is not of level debug')
    const html = await pagesOf(world)
    const { client, files, maps } = await readBundles()
    const stored = await dumpDatabase(world.database)
    faults.expect(stored.includes('canary.member@example.com'), 'the database is not the one that was written')
    for (const { name, value, mayBeStored } of canaries) {
      for (const form of new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])) {
        faults.expect(!log.includes(form), `${name} in the log`)
        faults.expect(!html.includes(form), `${name} in a page`)
        faults.expect(!client.includes(form), `${name} in a bundle`)
        if (!mayBeStored) faults.expect(!stored.includes(form), `${name} in the database`)
      }
    }
    const metrics = await request(world.site.origin, {
      path: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    faults.expect(metrics.status === 200 && !/canary|@/.test(metrics.text), 'a person in /metrics', metrics.text)
    faults.expect(!/\?[a-z_]+=/.test(log), 'a query string in the log', /.{60}\?[a-z_]+=.{40}/.exec(log)?.[0])
    // Runs last: it stops the site.
    const proxies = await throughProxies(world, canaries, faults)
    return {
      passed: faults.count === 0,
      reached:
        `${canaries.length} canaries looked for in ${Math.round(log.length / 1_024)} kB of log at level debug, ${PAGES.length} pages, ${files} files of the bundle (${maps} source maps), ` +
        `all tables of the database and /metrics; ${proxies.reached}; faults: ${faults}`,
      ...(proxies.missing.length > 0 && { notes: `Not run, since it is not installed: ${proxies.missing.join(', ')}` }),
    }
  },
}

/** Requests every link of every email, and every URL that could contain a secret, through both shipped proxies. */
async function throughProxies(
  world: World,
  canaries: readonly Canary[],
  faults: Faults,
): Promise<{ reached: string; missing: string[] }> {
  const { proxies, missing } = await startShippedProxies(world.site.origin)
  const secret = encodeURIComponent(canaries.find(({ name }) => name === 'link of a guest')?.value ?? 'canary')
  const links = (await world.mailbox.all()).flatMap(({ text, html }) => [...linksIn(text), ...linksIn(html)])
  const followed = links.map((link) => new URL(link.replaceAll('&amp;', '&'))).map((url) => url.pathname + url.search)
  const asked = [
    ...new Set(followed),
    `/rsvp?token=${secret}`,
    `/api/rsvp/certificates/${secret}`,
    `/newsletter/one-click?token=${secret}`,
    `/newsletter/preview?token=${secret}`,
    `/stripe/success?session_id=${secret}&nonce=${secret}`,
    `/api/stripe/checkout/verify-session?session_id=${secret}&nonce=${secret}`,
    `/${secret}`,
    `/events/${secret}.ics`,
    '/canary-in-the-path/x?search=canaryquery',
  ]
  const headers = { host: 'www.example.org', cookie: `session=${secret}`, authorization: `Bearer ${secret}` }
  const sizes: string[] = []
  for (const { name, origin, logs, stop } of proxies) {
    for (const path of asked) await request(origin, { path, headers })
    const body = JSON.stringify({ token: decodeURIComponent(secret) })
    const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    for (const path of ['/api/rsvp/read', '/api/rsvp/certificate']) {
      const { status } = await request(origin, { path, ...post })
      faults.expect(status < 500, `${name} answered ${path} with ${status}`)
    }
    const written = logs()
    for (const canary of canaries)
      for (const form of new Set([canary.value, encodeURIComponent(canary.value)]))
        faults.expect(!written.includes(form), `${canary.name} in the log of ${name}`)
    faults.expect(/POST.{0,40}\/api\/rsvp\b/.test(written), `${name} does not log the route`, written.slice(-300))
    faults.expect(!/\?[a-z_]+=/.test(written), `a query string in the log of ${name}`)
    sizes.push(`${name} (${asked.length + 2} requests, ${Math.round(written.length / 1_024)} kB of log)`)
    await stop()
  }
  const whileAway = await startShippedProxies(world.site.origin)
  await world.site.program.stop()
  for (const { name, origin, logs, stop } of whileAway.proxies) {
    for (const path of asked) await request(origin, { path, headers })
    const written = logs()
    faults.expect(!written.includes(secret), `a secret in the log of ${name} while the site is away`)
    faults.expect(!/canary/.test(written), `something personal in the log of ${name} while the site is away`)
    await stop()
  }
  return { reached: `shipped proxies: ${sizes.join(', ') || 'none'}`, missing }
}

function keysOfTheSite(): Canary[] {
  return [
    { name: 'session secret', value: SESSION_SECRET },
    { name: 'webhook secret', value: WEBHOOK_SECRET },
    { name: 'secret key of the card provider', value: 'sk_test_standin' },
    { name: 'secret of the bot check', value: 'standin-secret' },
    { name: 'token of the metrics', value: METRICS_TOKEN },
  ]
}

/** Everything that members, visitors, sponsors and subscribers do; returns the canaries used. */
async function walkThrough(world: World): Promise<Canary[]> {
  const canaries: Canary[] = []
  const secret = (name: string, value: string | null | undefined): string => {
    if (!value) throw new Error(`There is no ${name} to look for`)
    canaries.push({ name, value })
    return value
  }
  const personal = (name: string, value: string): string => {
    canaries.push({ name, value, mayBeStored: true })
    return value
  }

  const person = newPerson({
    email: personal('address', 'canary.member@example.com'),
    username: personal('username', 'canarymember'),
    lastName: personal('name', 'Canaryvanshi'),
    password: secret('password', 'canary-first-password'),
  })
  const member = new Visitor(world)
  const back = new URLSearchParams(await member.pay(person))
  const { mailbox } = world
  secret('verification link', (await mailbox.link(person.email, '/email-verification')).searchParams.get('token'))
  secret('nonce of a checkout', back.get('nonce'))
  const verified = expectStatus(await member.verifySession(`?${back}`), 200, 'verify-session')
  member.token = secret('token of a session', verified.body.token as string)

  const wrong = secret('wrong password', 'canary-wrong-password')
  await new Visitor(world).logIn(person.email, wrong)
  const changed = secret('changed password', 'canary-second-password')
  const change = { currentPassword: person.password, newPassword: changed }
  const response = expectStatus(await member.call('PUT', '/api/account/password', change), 200, 'change password')
  secret('token after the change', response.body.token as string)

  await new Visitor(world).forgotPassword(person.email)
  // The email about the change links the page as well, without a token.
  const email = await until(async () =>
    (await mailbox.emailsTo(person.email)).find(({ text }) => text.includes('/reset-password?token=')),
  )
  const link = email && linkIn(email, '/reset-password')
  const token = secret('reset link', link?.searchParams.get('token'))
  const userId = link?.searchParams.get('userId')
  const reset = secret('password after the reset', 'canary-third-password')
  expectStatus(
    await new Visitor(world).post('/api/email/reset-password', { token, userId, newPassword: reset }),
    200,
    'reset-password',
  )
  const afterReset = new Visitor(world)
  expectStatus(await afterReset.logIn(person.email, reset), 200, 'login')
  secret('token of a log-in', afterReset.token)
  for (const cookie of afterReset.cookies.values()) secret('cookie', cookie)
  await afterReset.get('/api/account/data')

  const message = personal('message', `canary message with a card, ${CARD}`)
  personal('number like a card', CARD)
  await sendMessage(new Visitor(world), { email: personal('visitor', 'canary.visitor@example.com'), message })
  const reader = personal('reader', 'canary.reader@example.com')
  await requestSubscription(new Visitor(world), reader)
  const confirm = secret('link of a reader', secretIn(await mailbox.link(reader, '/newsletter/confirm')))
  await new Visitor(world).post('/api/newsletter/confirm', { token: confirm })

  const evening = await openEvent(world, 'an-evening', 10)
  const guest = personal('guest', 'canary.guest@example.com')
  await askForSeat(new Visitor(world), { eventId: evening, email: guest })
  const seat = secret('link of a guest', await rsvpToken(world, guest))
  for (const path of ['read', 'confirm', 'read'])
    expectStatus(await new Visitor(world).post(`/api/rsvp/${path}`, { token: seat }), 200, path)
  const dear = await openEvent(world, 'a-dear-evening', 10, 5_000)
  const page = await askForSeat(new Visitor(world), { eventId: dear, email: guest })
  const returned = await world.provider.pay(page.body.payAt as string)
  secret('nonce of seats', returned?.searchParams.get('nonce'))

  const formToken = secret('token of a form', await openSponsorForm(world))
  const sponsor = personal('sponsor', 'canary.sponsor@example.com')
  const order = expectStatus(await orderSponsorship(new Visitor(world), { email: sponsor, formToken }), 200, 'sponsor')
  const paid = await world.provider.pay(order.body.sessionUrl as string)
  secret('nonce of a sponsorship', paid?.searchParams.get('nonce'))

  // URLs as typed or followed, with something personal in the query.
  const asked = personal('query string', 'canaryquery')
  for (const path of ['/', '/contact', '/api/newsletter/campaigns', '/no-such-page', '/api/no-such-call']) {
    await request(world.site.origin, { path: `${path}?search=${asked}&email=${asked}` })
  }
  await request(world.site.origin, { path: `/${personal('unknown address', 'canary-in-the-path')}/x` })
  return canaries
}

async function pagesOf(world: World): Promise<string> {
  const pages = await Promise.all(PAGES.map((path) => request(world.site.origin, { path })))
  return pages.map(({ text }) => text).join('\n')
}

async function readBundles(): Promise<{ client: string; files: number; maps: number }> {
  const { directory } = await buildSite({ log: () => {} })
  const folder = join(directory, 'client')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = names.filter((name) => /\.(js|css|html|map|json|webmanifest|svg)$/.test(name))
  return {
    client: texts.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n'),
    files: texts.length,
    maps: names.filter((name) => name.endsWith('.map')).length,
  }
}
