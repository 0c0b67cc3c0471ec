import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { isEmailShaped } from '#contract/fields.ts'
import { readSettings } from '../features/association/content.repository.ts'
import { addressHash } from '../features/newsletter/address-hash.ts'
import { bounceKey, BOUNCES_PATH, createBouncesService } from '../features/newsletter/bounces.service.ts'
import { readReturnedMail } from '../features/newsletter/returned-mail.ts'
import {
  countSubscribers,
  findSubscriberByEmail,
  insertSubscribers,
  listSuppressed,
} from '../features/newsletter/subscriber.repository.ts'
import { newId } from '../platform/ids.ts'
import { secretsOf, type Tools } from './tools.ts'

/** `newsletter subscribers` counts them; `newsletter subscribers import FILE` takes addresses that agreed elsewhere, one a line. */
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
  const secrets = secretsOf(config)
  const now = clock.now()
  const counts = { added: 0, known: 0, suppressed: 0, unreadable: 0 }
  const lines = new Set(
    readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim()),
  )
  lines.delete('')
  await db.transaction().execute(async (tx) => {
    for (const email of lines) {
      if (!isEmailShaped(email)) {
        counts.unreadable++
        say(`Cannot be read: ${JSON.stringify(email)}`)
      } else if ((await listSuppressed(tx, [addressHash(secrets, email)])).size > 0) counts.suppressed++
      else if (await findSubscriberByEmail(tx, email)) counts.known++
      else {
        counts.added++
        await insertSubscribers(tx, [
          {
            id: newId(now),
            email,
            state: 'subscribed',
            source: 'import',
            askedAt: now,
            confirmedAt: now,
            leftAt: null,
          },
        ])
      }
    }
  })
  say(
    `${counts.added} added, ${counts.known} known, ${counts.suppressed} asked not to be written to, ${counts.unreadable} unreadable.`,
  )
  return 0
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
