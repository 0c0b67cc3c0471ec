import { withApp } from '../with-app.ts'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { dayOf } from '#contract/dates/dates.ts'
import { bounceKey, BOUNCES_PATH } from '#server/features/newsletter/subscribers/bounces.service.ts'
import { parseBounceEmail } from '#server/features/newsletter/subscribers/bounce-report.service.ts'
import {
  applySubscriberImport,
  parseSubscriberImport,
} from '#server/features/newsletter/import/subscriber-import.service.ts'
import { countSubscribers } from '#server/features/newsletter/subscribers/subscriber.repository.ts'
import { createSiteSecrets, type Tools } from '../tools.ts'

/**
 * `newsletter subscribers` counts subscribers; `newsletter subscribers import FILE` adds people who consented elsewhere, with the date and source of their
 * consent.
 */
export async function importSubscribers([action, file]: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const { db } = database
  if (action === undefined) {
    for (const [state, count] of Object.entries(await countSubscribers(db)))
      say(`${String(count).padStart(6)} ${state}`)
    return 0
  }
  if (action !== 'import' || !file) {
    say('Usage: newsletter subscribers [import FILE]')
    return 2
  }
  const now = clock.now()
  let list
  try {
    const given = { filename: basename(file), list: 'file' as const }
    list = parseSubscriberImport(readFileSync(file), dayOf(now, config.timeZone), given)
  } catch (error) {
    say((error as Error).message)
    return 1
  }
  for (const { line, cell, sentence, cure } of list.invalidRows) {
    say(`Line ${line} is skipped: ${JSON.stringify(cell)}. ${sentence} ${cure}`)
  }
  const options = {
    actor: 'webmaster',
    filename: basename(file),
    secrets: createSiteSecrets(config),
    timeZone: config.timeZone,
    now,
  }
  const { added, dated, known, suppressed, blocked, ended, wrong } = await db
    .transaction()
    .execute((tx) => applySubscriberImport(tx, list, options))
  say(`${added} added, ${known} known, ${suppressed} unsubscribed or bounced, ${wrong} unreadable.`)
  if (blocked + ended > 0)
    say(`${blocked} recorded as unsubscribed or bounced elsewhere, ${ended} unsubscribed here too.`)
  if (added > dated) {
    say(
      `${added - dated} of them have no consent date. They are recorded as imported, with consent stated by the association today.`,
    )
  }
  return wrong > 0 ? 1 : 0
}

/** `newsletter bounce < MAIL`, for a mail server that pipes mail to the bounce address into a program. */
export async function bounce(_parameters: readonly string[], tools: Tools): Promise<number> {
  const reports = await parseBounceEmail(await buffer(process.stdin))
  const recorded = await withApp(tools, ({ services }) => services.bounces.recordAll(reports))
  tools.say(`${recorded} bounces recorded.`)
  return 0
}

/** Shows where a mail provider sends its bounce events, and the key that authenticates it. */
export async function showBounceWebhook(_parameters: readonly string[], { config, say }: Tools): Promise<number> {
  say(`Address  ${config.siteUrl}${BOUNCES_PATH}`)
  say(`Header   Authorization: Bearer ${bounceKey(createSiteSecrets(config))}`)
  say('Body     {"events":[{"type":"bounce|complaint","email":"…","permanent":true,"messageId":"…","reason":"…"}]}')
  say('         or the original bounce message, with content-type message/rfc822')
  return 0
}
