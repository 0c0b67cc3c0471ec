import { setTimeout as sleep } from 'node:timers/promises'
import { notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import { countEmails, submitForms, type SubmittedForm } from '#tests/trust/faults/emailed-forms.ts'
import { BounceIntake } from '#tests/trust/faults/bounce-intake.ts'
import { documentedBounceService, Postfix } from '#tests/trust/faults/postfix.ts'
import { startRefusingMailServer } from '#tests/trust/faults/refusing-mail-server.ts'
import { request } from '#tests/trust/http.ts'
import { until } from '#tests/trust/load.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { createSenderDomain, sendEveryTemplate, type SenderDomain } from '#tests/trust/sender-domain.ts'
import type { World } from '#tests/trust/site.ts'
import { createCampaign, createSubscriber, startMailing } from '#tests/support/newsletter.ts'
import { insertSubscribers } from '#server/features/newsletter/subscribers/subscriber.commands.ts'

const BOUNCES = 'bounces@example.org'
const REFUSED = 'refused.example'
/** The queue of Postfix is on the same disk. */
const RESPONSE_WITHIN_MS = 1_000
const HOUR_MS = 3_600_000
const DELIVERED_WITHIN_MS = 60_000
/** The documented command starts a Node for each bounce. */
const RECORDED_WITHIN_MS = 180_000
/** Emails in the hands of a killed Postfix: the site's connections to it. */
const CONNECTIONS = 4
/** Contact and sponsor: one to the person, one to the officers; register and subscribe: one to the person. */
const EMAILS_OF_ALL_FORMS = 6
const HARD_BOUNCES = 2

/** Recipients of two newsletters, and what their bounces must lead to. */
const READERS = [
  { name: 'reader', count: 5, domain: 'example.com', state: 'subscribed', hard: 0, soft: 0 },
  { name: 'gone', count: 3, domain: REFUSED, state: 'bounced', hard: HARD_BOUNCES, soft: 0 },
  { name: 'full', count: 2, domain: REFUSED, state: 'subscribed', hard: 0, soft: 2 },
  { name: 'away', count: 1, domain: REFUSED, state: 'subscribed', hard: 0, soft: 2 },
] as const
const REFUSED_READERS = READERS.filter(({ domain }) => domain === REFUSED).reduce((sum, { count }) => sum + count, 0)

export const row: TrustRow = {
  id: 'T81',
  promise: 'Postfix between the site and the receivers',
  gate: false,
  undisturbed: true,
  target:
    'while the receiver refuses connections or says 451, emails wait in the queue of Postfix and arrive once each; while Postfix is killed, in the site: 0 lost, at most one twice for each connection, with the same Message-ID, responses < 1 s; bounces of 550, 552 and of 451 for too long reach the site as documented, wait while its database is away, and count once: an unknown address is blocked after two newsletters; DKIM, SPF and DMARC of every template verify behind Postfix',
  async run({ world: start, count, random }) {
    const absent = notRun([{ program: 'postfix', debianPackage: 'postfix' }])
    if (absent) return absent
    const obstacle = Postfix.obstacle() ?? BounceIntake.obstacle()
    if (obstacle) return { passed: true, reached: `not run: ${obstacle}` }
    const faults = new Faults()
    const sender = createSenderDomain(BOUNCES)
    const refusing = await startRefusingMailServer()
    const intake = new BounceIntake()
    let postfix: Postfix | null = null
    try {
      const world = await start({
        environment: async (_standinsUrl, smtpPort) => {
          postfix = await Postfix.start({
            relayPort: smtpPort,
            routes: { [BOUNCES]: 'association-bounces:', [REFUSED]: `smtp:[127.0.0.1]:${refusing.port}` },
            services: () => intake.adapt(documentedBounceService()),
          })
          return mailEnvironment(sender, postfix.port)
        },
      })
      if (!postfix) throw new Error('Postfix was not started')
      const queue = await outages(world, postfix, { people: count(24, 3), random, faults })
      const signed = await requireSignatures(world, postfix, sender, faults)
      const bounced = await bounces(world, postfix, intake, faults)
      return {
        passed: faults.count === 0,
        reached: `${queue}; ${signed}; ${bounced}; faults: ${faults}`,
        notes: `ran: ${versionOf('postconf', '-d', 'mail_version').replace('postconf', 'postfix')}, in a folder of its own, with retries within seconds; the service for bounces as in docs/running.md, except for user and path`,
      }
    } finally {
      await (postfix as Postfix | null)?.remove()
      await refusing.close()
      intake.remove()
    }
  },
}

function mailEnvironment({ settings: { from, dkim } }: SenderDomain, port: number): Record<string, string> {
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: from,
    BOUNCE_ADDRESS: BOUNCES,
    DKIM_DOMAIN: dkim?.domain ?? '',
    DKIM_SELECTOR: dkim?.selector ?? '',
    DKIM_PRIVATE_KEY: dkim?.privateKey ?? '',
  }
}

async function outages(
  world: World,
  postfix: Postfix,
  { people, random, faults }: { people: number; random: Random; faults: Faults },
): Promise<string> {
  await world.control({ webhooks: 'drop' })
  const sent: SubmittedForm[] = []
  const slowest: number[] = []
  const submit = async (trouble: string) =>
    slowest.push(await submitForms(world, { people, trouble, withinMs: RESPONSE_WITHIN_MS, sent, faults }))
  let mostQueued = 0

  for (const mail of ['refuse', 'temporary']) {
    await world.control({ mail })
    await submit(`receiver: ${mail}`)
    faults.expect(await world.isQuiet(), 'emails wait in the site while Postfix takes them', mail)
    let queued = 0
    // One that is just tried again is between two folders of the queue.
    await until(async () => (queued = postfix.queued()) >= people * EMAILS_OF_ALL_FORMS)
    mostQueued = Math.max(mostQueued, queued)
    faults.expect(queued >= people * EMAILS_OF_ALL_FORMS, 'emails in the queue', `${mail}: ${queued}`)
    const early = await countArrived(world, sent, `receiver: ${mail}`)
    faults.expect(early === 0, 'arrived during the outage', String(early))
    if (mail === 'temporary') {
      await postfix.kill()
      await submit('Postfix killed with emails in its queue')
      await postfix.start()
    }
    await world.control({ mail: 'ok' })
    await drain(world, postfix, faults)
  }

  const killing = sleep(random.between(100, 100 + people * 20)).then(() => postfix.kill())
  await submit('Postfix killed while it takes emails')
  await killing
  await postfix.start()
  await drain(world, postfix, faults)

  const { emails, duplicates } = countEmails(await world.mailbox.all(), sent, faults)
  faults.expect(duplicates <= CONNECTIONS, 'too many duplicates', String(duplicates))
  return `${emails} emails of ${sent.length} forms, at most ${mostQueued} at once in its queue, ${faults.countOf('lost')} lost, ${duplicates} twice; slowest answer ${Math.round(Math.max(...slowest))} ms`
}

async function countArrived(world: World, sent: readonly SubmittedForm[], trouble: string): Promise<number> {
  const now = new Set(sent.filter((one) => one.trouble === trouble).map(({ email }) => email))
  return (await world.mailbox.all()).filter(({ to }) => now.has(to[0] ?? '')).length
}

/** Past the longest retry delay of the site, until neither has an email left. */
async function drain(world: World, postfix: Postfix, faults: Faults): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await world.control({ advanceMs: HOUR_MS })
    faults.expect(await world.isQuiet(), 'emails still wait in the site')
  }
  faults.expect(await postfix.isEmpty(DELIVERED_WITHIN_MS), 'emails still wait in Postfix', String(postfix.queued()))
}

async function requireSignatures(
  world: World,
  postfix: Postfix,
  sender: SenderDomain,
  faults: Faults,
): Promise<string> {
  const names = await sendEveryTemplate({ ...sender.settings, smtpUrl: `smtp://127.0.0.1:${postfix.port}` })
  const arrived = await until(
    async () => {
      const emails = (await world.mailbox.all()).filter(({ to }) => to[0]?.endsWith('@emails.example'))
      return emails.length >= names.length && emails
    },
    { withinMs: DELIVERED_WITHIN_MS, everyMs: 500 },
  )
  if (!arrived) throw new Error('Not every template arrived')
  for (const { id, to, headers, envelopeFrom } of arrived) {
    const name = names[Number(to[0]?.split('@')[0])] ?? ''
    const raw = (await request(world.standinsUrl, { path: `/mail/messages/${id}/raw` })).text
    faults.expect(String(headers['received']).includes('(Postfix)'), 'not through Postfix', name)
    faults.expect(envelopeFrom === BOUNCES, 'envelope sender', `${name}: ${envelopeFrom}`)
    await sender.verify(raw, name, faults)
  }
  return `DKIM, SPF and DMARC verify in ${arrived.length} emails of ${names.length} templates behind it`
}

async function bounces(world: World, postfix: Postfix, intake: BounceIntake, faults: Faults): Promise<string> {
  const { db } = world.database
  await db.deleteFrom('subscriber').execute()
  const emails = READERS.flatMap(({ name, count, domain }) =>
    Array.from({ length: count }, (_, number) => `${name}${number}@${domain}`),
  )
  await insertSubscribers(
    db,
    emails.map((email) => createSubscriber(email)),
  )
  // Postfix gives up on `away` soon, and says before that it is late, which is no bounce.
  postfix.set({ maximal_queue_lifetime: '6s', delay_warning_time: '2s' })
  intake.connect(world, { isDatabaseAway: true })

  await startMailing(db, createCampaign({ id: 'may' }))
  const isKept = await until(async () => intake.received.length > 0, { withinMs: DELIVERED_WITHIN_MS })
  faults.expect(isKept !== null, 'no bounce came')
  faults.expect((await countBounced(world, 'may')) === 0, 'recorded while the database is away')
  const waiting = postfix.queued()
  faults.expect(waiting > 0, 'a bounce was dropped while the database is away')
  intake.connect(world)
  await requireBounced(world, 'may', faults)

  // The next ones contain only the headers of the email.
  postfix.set({ bounce_size_limit: '1' })
  await startMailing(db, createCampaign({ id: 'june' }))
  await requireBounced(world, 'june', faults)
  faults.expect(await postfix.isEmpty(RECORDED_WITHIN_MS), 'bounces still wait in Postfix')
  const late = intake.received.filter((text) => /^Action: delayed/m.test(text)).length
  faults.expect(late > 0, 'no notice of a delay came')
  const headersOnly = intake.received.filter((text) => /^Content-Type: text\/rfc822-headers/m.test(text)).length
  faults.expect(headersOnly > 0, 'no bounce had headers alone')
  await repeat(world, intake, faults)
  await requireCounts(world, faults)

  await startMailing(db, createCampaign({ id: 'july' }))
  await until(async () => (await stateOf(world, 'july')) === 'finished', { withinMs: DELIVERED_WITHIN_MS })
  const again = await db
    .selectFrom('delivery')
    .select('email')
    .where('campaignId', '=', 'july')
    .where('email', 'like', 'gone%')
    .where('state', '!=', 'skipped')
    .execute()
  faults.expect(again.length === 0, 'sent to a blocked address', String(again.length))
  return `${2 * REFUSED_READERS} bounces of two newsletters recorded once each, ${waiting} waited while the database was away; ${late} notices of a delay and ${headersOnly} bounces with headers alone read; unknown addresses blocked after ${HARD_BOUNCES}`
}

async function countBounced(world: World, campaignId: string): Promise<number> {
  const rows = await world.database.db
    .selectFrom('delivery')
    .select('id')
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'bounced')
    .execute()
  return rows.length
}

async function stateOf(world: World, campaignId: string): Promise<string | undefined> {
  const { db } = world.database
  return (await db.selectFrom('mailing').select('state').where('campaignId', '=', campaignId).executeTakeFirst())?.state
}

/** Every refused copy is recorded as bounced, and no other. */
async function requireBounced(world: World, campaignId: string, faults: Faults): Promise<void> {
  await until(async () => (await countBounced(world, campaignId)) >= REFUSED_READERS, {
    withinMs: RECORDED_WITHIN_MS,
    everyMs: 300,
  })
  const bounced = await countBounced(world, campaignId)
  faults.expect(bounced === REFUSED_READERS, 'bounces recorded', `${campaignId}: ${bounced} of ${REFUSED_READERS}`)
}

/** Every bounce once more, as the bounce message itself at the address for bounce events. */
async function repeat(world: World, intake: BounceIntake, faults: Faults): Promise<void> {
  const [, key = ''] = /Bearer (\S+)/.exec(await world.site.admin('newsletter', 'webhook')) ?? []
  for (const body of intake.received) {
    const { status } = await request(world.site.origin, {
      method: 'POST',
      path: '/api/newsletter/bounces',
      headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${key}` },
      body,
    })
    faults.expect(status === 200, `a bounce by webhook answered ${status}`)
  }
}

async function requireCounts(world: World, faults: Faults): Promise<void> {
  const rows = await world.database.db
    .selectFrom('subscriber')
    .select(['email', 'state', 'hardBounces', 'softBounces'])
    .execute()
  for (const { name, state, hard, soft } of READERS)
    for (const one of rows.filter(({ email }) => email.startsWith(name)))
      faults.expect(
        one.state === state && one.hardBounces === hard && one.softBounces === soft,
        `a reader ${name}`,
        `${one.state}, ${one.hardBounces} hard, ${one.softBounces} soft`,
      )
}
