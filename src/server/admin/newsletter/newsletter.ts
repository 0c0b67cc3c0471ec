import { withApp } from '../with-app.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isEmailShaped } from '#contract/fields.ts'
import { ContentError, readFrontMatter } from '#server/features/seed/content-files.service.ts'
import { campaignFileSchema } from '#server/features/seed/samples.schema.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { readSettings } from '#server/features/content-store/content.queries.ts'
import { campaignEmail, withUnsubscribeUrl } from '#server/features/newsletter/campaign.emails.ts'
import { findCampaign, type StoredCampaign } from '#server/features/newsletter/campaign.queries.ts'
import type { Db } from '#server/db/database.ts'
import { listAllCampaigns } from '#server/features/newsletter/campaign.repository.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.commands.ts'
import { contentFromHtml, contentFromMarkdown } from '#server/features/newsletter/composing/campaign-text.service.ts'
import { listDeliveries } from '#server/features/newsletter/sending/delivery.repository.ts'
import { type MailingService } from '#server/features/newsletter/sending/mailing.service.ts'
import {
  newsletterFooter,
  personalizeNewsletter,
} from '#server/features/newsletter/sending/subscriber-mailing.service.ts'
import { countSubscribers } from '#server/features/newsletter/subscribers/subscriber.repository.ts'
import { createBulkMailer } from '#server/emails/bulk-mailer.ts'
import { newId } from '#server/lib/ids.ts'
import { bounce, importSubscribers, showBounceWebhook } from './subscribers.ts'
import { createSiteSecrets, type Tools } from '../tools.ts'

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
    say(done ? 'Paused. Copies already handed to the mail server are still sent.' : 'It is not being sent.')
    return done ? 0 : 1
  }),
  resume: withMailing(async (mailings, id, { say }) => {
    const done = await mailings.resume(id)
    say(done ? 'Resumed. The running site continues sending.' : 'It is not paused.')
    return done ? 0 : 1
  }),
  again: withMailing(async (mailings, id, { say }) => {
    say(`${await mailings.requeueUncertain(id)} uncertain copies will be sent again. Some people may receive two.`)
    return 0
  }),
  subscribers: importSubscribers,
  bounce,
  webhook: showBounceWebhook,
}

/** `newsletter list`, `import`, `preview`, `test`, `send`, `status` and the other subcommands. */
export async function newsletter([action = 'list', ...parameters]: readonly string[], tools: Tools): Promise<number> {
  const run = actions[action]
  if (run) return run(parameters, tools)
  tools.say(`Usage: newsletter ${Object.keys(actions).join('|')}`)
  return 2
}

async function list(_parameters: readonly string[], { database: { db }, say }: Tools): Promise<number> {
  for (const { id, subject, sentAt } of await listAllCampaigns(db, 'subscribers')) {
    say(`${sentAt === null ? 'not sent  ' : new Date(sentAt).toISOString().slice(0, 10)}  ${id}  ${subject}`)
  }
  const counts = Object.entries(await countSubscribers(db)).map(([state, count]) => `${count} ${state}`)
  say(`\nSubscribers: ${counts.join(', ') || 'none'}.`)
  return 0
}

async function importCampaign(
  [file = '']: readonly string[],
  { database: { db }, clock, say }: Tools,
): Promise<number> {
  const kind = extname(file)
  if (kind !== '.md' && kind !== '.html') {
    say('Usage: newsletter import FILE.md | newsletter import FILE.html')
    return 2
  }
  try {
    const { frontMatter: fields, body } = readFrontMatter(file, campaignFileSchema)
    const now = clock.now()
    const { id = basename(file, kind), sentAt, picture = null, ...rest } = fields
    const existing = await findCampaign(db, id)
    if (existing && (existing.sentAt !== null || existing.recipients !== 'subscribers')) {
      say(`${id} was already sent and can no longer be changed. Use another id.`)
      return 1
    }
    const campaign = {
      ...rest,
      id,
      recipients: 'subscribers' as const,
      picture,
      ...(kind === '.md' ? contentFromMarkdown(body) : contentFromHtml(body)),
      createdAt: existing?.createdAt ?? now,
      updatedAt: now,
      sentAt: sentAt === undefined ? null : Date.parse(sentAt),
    }
    await db.transaction().execute(async (tx) => {
      await saveCampaign(tx, campaign)
      if (campaign.sentAt !== null) await incrementContentVersion(tx)
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
  const campaign = await findNewsletter(database.db, id)
  if (!campaign) return unknown(id, tools)
  const { association } = await readSettings(database.db)
  const footer = newsletterFooter(campaign, config.siteUrl)
  const email = campaignEmail(campaign, { siteUrl: config.siteUrl, association, footer })
  const directory = folder ?? join(config.dataDirectory, 'previews')
  mkdirSync(directory, { recursive: true })
  for (const [extension, text] of [
    ['html', email.html],
    ['txt', email.text],
  ] as const) {
    const file = join(directory, `${id}.${extension}`)
    writeFileSync(file, text)
    say(file)
  }
  say(`Subject: ${email.subject}`)
  say(`It would go to ${(await countSubscribers(database.db)).subscribed ?? 0} subscribers.`)
  return 0
}

async function sendTest([id = '', email = '']: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const campaign = await findNewsletter(database.db, id)
  if (!campaign) return unknown(id, tools)
  if (!isEmailShaped(email)) {
    say('Usage: newsletter test ID EMAIL')
    return 2
  }
  const { association } = await readSettings(database.db)
  const footer = newsletterFooter(campaign, config.siteUrl)
  const message = campaignEmail(campaign, { siteUrl: config.siteUrl, association, footer })
  const mailer = createBulkMailer(config.mail)
  const { unsubscribeUrl, headers } = personalizeNewsletter('test', {
    siteUrl: config.siteUrl,
    association,
    secrets: createSiteSecrets(config),
  })
  const copy = {
    ...withUnsubscribeUrl({ ...message, subject: `[Test] ${message.subject}` }, unsubscribeUrl),
    id: `test.${newId(clock.now())}`,
    to: email,
    headers,
  }
  const [verdict] = await mailer.send([copy])
  mailer.close()
  say(verdict?.kind === 'accepted' ? `Sent to ${email}.` : `Not sent: ${verdict?.reason}`)
  return verdict?.kind === 'accepted' ? 0 : 1
}

/** Emails to members are sent from the console, where whom they reach is shown. */
async function findNewsletter(db: Db, id: string): Promise<StoredCampaign | null> {
  const campaign = await findCampaign(db, id)
  return campaign?.recipients === 'subscribers' ? campaign : null
}

const REFUSALS = {
  unknown: 'There is no such newsletter. "newsletter list" shows all.',
  'sent-before': 'It was already sent. No one receives it twice.',
  'no-recipients': 'There are no subscribers.',
}

async function send([id = '', confirmed]: readonly string[], tools: Tools): Promise<number> {
  const { database, say } = tools
  if (confirmed !== '--yes') {
    const campaign = await findNewsletter(database.db, id)
    if (!campaign) return unknown(id, tools)
    const { subscribed = 0 } = await countSubscribers(database.db)
    say(`“${campaign.subject}” would go to ${subscribed} subscribers. To send it: "newsletter send ${id} --yes".`)
    return 2
  }
  const result = await withApp(tools, ({ services }) => services.mailings.start(id))
  if ('refused' in result) {
    say(REFUSALS[result.refused])
    return 1
  }
  say(
    `Sending to ${result.recipients} subscribers. The running site sends it; "newsletter status ${id} --watch" shows the progress.`,
  )
  return 0
}

const WATCH_INTERVAL_MS = 2_000
const PROBLEM_STATES = ['uncertain', 'bounced', 'failed'] as const

async function status([id = '', watch]: readonly string[], tools: Tools): Promise<number> {
  return withApp(tools, ({ services: { mailings } }) =>
    showStatus(id, { isWatching: watch === '--watch', mailings }, tools),
  )
}

async function showStatus(
  id: string,
  { isWatching, mailings }: { isWatching: boolean; mailings: MailingService },
  { database, say }: Tools,
): Promise<number> {
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
    if (!isWatching || mailing.state !== 'sending') break
    await sleep(WATCH_INTERVAL_MS)
  }
  for (const { state, email, reason } of await listDeliveries(database.db, id, PROBLEM_STATES))
    say(`  ${state}  ${email}  ${reason ?? ''}`)
  return 0
}

function withMailing(run: (mailings: MailingService, id: string, tools: Tools) => Promise<number>): Action {
  return async ([id = ''], tools) => {
    return withApp(tools, async ({ services: { mailings } }) => {
      if (await mailings.status(id)) return run(mailings, id, tools)
      tools.say('It is not being sent. "newsletter list" shows all.')
      return 1
    })
  }
}

function unknown(id: string, { say }: Tools): number {
  say(`There is no newsletter "${id}". "newsletter list" shows all.`)
  return 1
}
