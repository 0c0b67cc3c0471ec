import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isEmailShaped } from '#contract/fields.ts'
import { ContentError, readWithFacts } from '../features/association/content-files.ts'
import { campaignFileSchema } from '../features/association/content-schemas.ts'
import { raiseContentVersion, readSettings } from '../features/association/content.repository.ts'
import { campaignLetter } from '../features/newsletter/campaign.emails.ts'
import { findCampaign, listAllCampaigns, saveCampaign } from '../features/newsletter/campaign.repository.ts'
import { wordsOfHtml, wordsOfMarkdown } from '../features/newsletter/campaign-words.ts'
import { listDeliveries } from '../features/newsletter/delivery.repository.ts'
import { createMailingService, type MailingService } from '../features/newsletter/mailing.service.ts'
import { addressed } from '../features/newsletter/mailing.worker.ts'
import { countSubscribers } from '../features/newsletter/subscriber.repository.ts'
import { createBulkMailer } from '../mail/bulk-mailer.ts'
import { newId } from '../platform/ids.ts'
import { bounce, importSubscribers, showBounceWebhook } from './subscribers.ts'
import { secretsOf, type Tools } from './tools.ts'

type Action = (parameters: readonly string[], tools: Tools) => Promise<number>

const actions: Record<string, Action> = {
  list,
  import: importCampaign,
  preview,
  test: sendTest,
  send,
  status,
  pause: withMailing(async (mailings, id, { say }) => {
    const done = await mailings.pause(id)
    say(done ? 'Paused. What is in the mail server’s hands goes out.' : 'It is not being sent.')
    return done ? 0 : 1
  }),
  resume: withMailing(async (mailings, id, { say }) => {
    const done = await mailings.resume(id)
    say(done ? 'It goes on as soon as the site runs.' : 'It is not paused.')
    return done ? 0 : 1
  }),
  again: withMailing(async (mailings, id, { say }) => {
    say(`${await mailings.sendUncertainAgain(id)} uncertain copies are sent again. Some people may get two.`)
    return 0
  }),
  subscribers: importSubscribers,
  bounce,
  webhook: showBounceWebhook,
}

/** `newsletter list`, `import`, `preview`, `test`, `send`, `status` and what goes with them. */
export async function newsletter([action = 'list', ...parameters]: readonly string[], tools: Tools): Promise<number> {
  const run = actions[action]
  if (run) return run(parameters, tools)
  tools.say(`Say one of: ${Object.keys(actions).join(', ')}.`)
  return 2
}

async function list(_parameters: readonly string[], { database: { db }, say }: Tools): Promise<number> {
  for (const { id, subject, sentAt } of await listAllCampaigns(db)) {
    say(`${sentAt === null ? 'not sent  ' : new Date(sentAt).toISOString().slice(0, 10)}  ${id}  ${subject}`)
  }
  const counts = Object.entries(await countSubscribers(db)).map(([state, count]) => `${count} ${state}`)
  say(`\nReaders: ${counts.join(', ') || 'none'}.`)
  return 0
}

async function importCampaign(
  [file = '']: readonly string[],
  { database: { db }, clock, say }: Tools,
): Promise<number> {
  const kind = extname(file)
  if (kind !== '.md' && kind !== '.html') {
    say('Say "newsletter import FILE.md" or "newsletter import FILE.html".')
    return 2
  }
  try {
    const { facts, body } = readWithFacts(file, campaignFileSchema)
    const now = clock.now()
    const { id = basename(file, kind), sentAt, picture = null, ...rest } = facts
    const known = await findCampaign(db, id)
    if (known && known.sentAt !== null) {
      say(`${id} was sent already; what people were sent is not changed afterwards. Use another id.`)
      return 1
    }
    const campaign = {
      ...rest,
      id,
      picture,
      ...(kind === '.md' ? wordsOfMarkdown(body) : wordsOfHtml(body)),
      createdAt: known?.createdAt ?? now,
      updatedAt: now,
      sentAt: sentAt === undefined ? null : Date.parse(sentAt),
    }
    await db.transaction().execute(async (tx) => {
      await saveCampaign(tx, campaign)
      if (campaign.sentAt !== null) await raiseContentVersion(tx)
    })
    say(campaign.sentAt === null ? `${id} is ready. Next: "newsletter preview ${id}".` : `${id} is in the archive.`)
    return 0
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    say(error.message)
    return 1
  }
}

async function preview([id = '', folder]: readonly string[], tools: Tools): Promise<number> {
  const { config, database, say } = tools
  const campaign = await findCampaign(database.db, id)
  if (!campaign) return unknown(id, tools)
  const letter = campaignLetter(campaign, config.siteUrl, (await readSettings(database.db)).association)
  const directory = folder ?? join(config.dataDirectory, 'previews')
  mkdirSync(directory, { recursive: true })
  for (const [form, text] of [
    ['html', letter.html],
    ['txt', letter.text],
  ] as const) {
    const file = join(directory, `${id}.${form}`)
    writeFileSync(file, text)
    say(file)
  }
  say(`Subject: ${letter.subject}`)
  say(`It would go to ${(await countSubscribers(database.db)).subscribed ?? 0} readers.`)
  return 0
}

async function sendTest([id = '', email = '']: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const campaign = await findCampaign(database.db, id)
  if (!campaign) return unknown(id, tools)
  if (!isEmailShaped(email)) {
    say('Say "newsletter test ID EMAIL".')
    return 2
  }
  const { association } = await readSettings(database.db)
  const letter = campaignLetter(campaign, config.siteUrl, association)
  const mailer = createBulkMailer(config.mail)
  const copy = addressed(
    { ...letter, subject: `[Test] ${letter.subject}` },
    { id: `test.${newId(clock.now())}`, subscriberId: 'test', email },
    { siteUrl: config.siteUrl, association, secrets: secretsOf(config) },
  )
  const [verdict] = await mailer.send([copy])
  mailer.close()
  say(verdict?.kind === 'accepted' ? `Sent to ${email}.` : `Not sent: ${verdict?.reason}`)
  return verdict?.kind === 'accepted' ? 0 : 1
}

const REFUSALS = {
  unknown: 'There is no such campaign. "newsletter list" shows all.',
  'sent-before': 'It was sent before, and nobody gets it twice.',
  nobody: 'Nobody is subscribed.',
}

async function send([id = '', confirmed]: readonly string[], tools: Tools): Promise<number> {
  const { database, say } = tools
  if (confirmed !== '--yes') {
    const campaign = await findCampaign(database.db, id)
    if (!campaign) return unknown(id, tools)
    const { subscribed = 0 } = await countSubscribers(database.db)
    say(`“${campaign.subject}” would go to ${subscribed} readers. To send it: "newsletter send ${id} --yes".`)
    return 2
  }
  const begun = await mailingsOf(tools).start(id)
  if ('refused' in begun) {
    say(REFUSALS[begun.refused])
    return 1
  }
  say(
    `It goes to ${begun.recipients} readers. The running site sends it; "newsletter status ${id} --watch" follows it.`,
  )
  return 0
}

const WATCH_EVERY_MS = 2_000
const UNSETTLED = ['uncertain', 'bounced', 'failed'] as const

async function status([id = '', watch]: readonly string[], tools: Tools): Promise<number> {
  const { database, say } = tools
  const mailings = mailingsOf(tools)
  for (;;) {
    const found = await mailings.status(id)
    if (!found) {
      say(REFUSALS.unknown)
      return 1
    }
    const { mailing, counts } = found
    const parts = Object.entries(counts).filter(([, count]) => count > 0)
    const reason = mailing.lastError ? ` (${mailing.lastError})` : ''
    say(`${mailing.state}${reason}: ${parts.map(([state, count]) => `${count} ${state}`).join(', ')}`)
    if (watch !== '--watch' || mailing.state !== 'sending') break
    await sleep(WATCH_EVERY_MS)
  }
  for (const { state, email, reason } of await listDeliveries(database.db, id, UNSETTLED))
    say(`  ${state}  ${email}  ${reason ?? ''}`)
  return 0
}

function withMailing(run: (mailings: MailingService, id: string, tools: Tools) => Promise<number>): Action {
  return async ([id = ''], tools) => {
    const mailings = mailingsOf(tools)
    if (await mailings.status(id)) return run(mailings, id, tools)
    tools.say('It is not being sent. "newsletter list" shows all.')
    return 1
  }
}

function mailingsOf({ config, database: { db }, clock }: Tools): MailingService {
  return createMailingService({
    db,
    clock,
    officersEmail: config.officersEmail,
    association: async () => (await readSettings(db)).association,
  })
}

function unknown(id: string, { say }: Tools): number {
  say(`There is no campaign "${id}". "newsletter list" shows all.`)
  return 1
}
