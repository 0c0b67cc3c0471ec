import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { dayOf } from '#contract/dates.ts'
import { readSettings } from '../features/association/content.repository.ts'
import { bounceKey, BOUNCES_PATH, createBouncesService } from '../features/newsletter/bounces.service.ts'
import { readReturnedMail } from '../features/newsletter/returned-mail.ts'
import { importReaders, readReaderList } from '../features/newsletter/subscriber-import.ts'
import { countSubscribers } from '../features/newsletter/subscriber.repository.ts'
import { secretsOf, type Tools } from './tools.ts'

/** `newsletter subscribers` counts them; `newsletter subscribers import FILE` adds people who agreed elsewhere, with the day and source of their consent. */
export async function importSubscribers([action, file]: readonly string[], tools: Tools): Promise<number> {
  const { config, database, clock, say } = tools
  const { db } = database
  if (action === undefined) {
    for (const [state, count] of Object.entries(await countSubscribers(db)))
      say(`${String(count).padStart(6)} ${state}`)
    return 0
  }
  if (action !== 'import' || !file) {
    say('Say "newsletter subscribers" or "newsletter subscribers import FILE".')
    return 2
  }
  const now = clock.now()
  let list
  try {
    list = readReaderList(readFileSync(file), dayOf(now, config.timeZone))
  } catch (error) {
    say((error as Error).message)
    return 1
  }
  for (const { line, cell, sentence, cure } of list.wrong) {
    say(`Line ${line} is left out: ${JSON.stringify(cell)}. ${sentence} ${cure}`)
  }
  const wanted = { actor: 'webmaster', filename: basename(file), secrets: secretsOf(config), now }
  const { added, dated, known, suppressed, wrong } = await db
    .transaction()
    .execute((tx) => importReaders(tx, list, wanted))
  say(`${added} added, ${known} known, ${suppressed} asked not to be written to, ${wrong} unreadable.`)
  if (added > dated) {
    say(
      `${added - dated} of them came without the day of their consent: they are recorded as imported, consent stated by the association today.`,
    )
  }
  return wrong > 0 ? 1 : 0
}

/** `newsletter bounce < MAIL`, for a mail server that hands the mail of the bounce address to a program. */
export async function bounce(
  _parameters: readonly string[],
  { config, database: { db }, clock, say }: Tools,
): Promise<number> {
  const returned = await readReturnedMail(await buffer(process.stdin))
  const { newsletter } = await readSettings(db)
  const bounces = createBouncesService({ db, clock, secrets: secretsOf(config), bounceLimits: () => newsletter })
  say(`${await bounces.take(returned)} returned letters noted.`)
  return 0
}

/** Where a mail provider sends its notices, with the key that proves it is the provider. */
export async function showBounceWebhook(_parameters: readonly string[], { config, say }: Tools): Promise<number> {
  say(`Address  ${config.siteUrl}${BOUNCES_PATH}`)
  say(`Header   Authorization: Bearer ${bounceKey(secretsOf(config))}`)
  say('Body     {"events":[{"type":"bounce|complaint","email":"…","permanent":true,"messageId":"…","reason":"…"}]}')
  say('         or a returned mail as it came, with content-type message/rfc822')
  return 0
}
