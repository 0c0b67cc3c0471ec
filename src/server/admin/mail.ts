import { isEmailShaped } from '#contract/fields.ts'
import { readSettings } from '#server/features/content-store/content.queries.ts'
import { checkMailRecords } from '#server/emails/mail-records.ts'
import type { MailFinding } from '#server/emails/mail-records.rules.ts'
import { checkMailServer } from '#server/emails/mail-server.ts'
import { createMailer } from '#server/emails/mailer.ts'
import { testEmail } from '#server/emails/test.emails.ts'
import { newId } from '#server/lib/ids.ts'
import { findEmailSubjectIds, findPersonIdsByAddress } from '#server/features/accounts/email-subjects.queries.ts'
import { findEffect, listEmailsAbout, requeueDeadLetters, requeueCopy } from '#server/jobs/outbox-records.repository.ts'
import type { Tools } from './tools.ts'

const VERDICT_LABELS: Record<MailFinding['verdict'], string> = { ok: 'ok   ', look: 'look ', wrong: 'WRONG' }

/** `mail test [ADDRESS]` and `mail resend ID|ADDRESS`. */
export async function mail([action, value = '']: readonly string[], tools: Tools): Promise<number> {
  if (action === 'test' && (value === '' || isEmailShaped(value))) return test(value, tools)
  if (action === 'resend' && value !== '') return value.includes('@') ? resendTo(value, tools) : resend(value, tools)
  tools.say('Usage: mail test [ADDRESS] | mail resend ID|ADDRESS')
  return 2
}

async function test(address: string, tools: Tools): Promise<number> {
  const { config, say } = tools
  const findings = [...(await checkMailServer(config.mail.smtpUrl)), ...(await checkMailRecords(config))]
  for (const { about, verdict, text, publish } of findings) {
    say(`${VERDICT_LABELS[verdict]} ${about}: ${text}`)
    if (publish) say(`        ${publish.name}  ${publish.type}  "${publish.value}"`)
  }
  const isSent = address === '' || (await sendTest(address, tools))
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong').length
  say(wrong === 0 ? 'Nothing is wrong.' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`)
  return wrong === 0 && isSent ? 0 : 1
}

async function sendTest(address: string, { config, database, clock, say }: Tools): Promise<boolean> {
  const { association } = await readSettings(database.db)
  const mailer = createMailer(config.mail)
  try {
    await mailer.send({ ...testEmail(config.siteUrl, association), to: address }, `test.${newId(clock.now())}`)
    say(
      `ok    Email: the server accepted a test email to ${address}. Check that it arrives, and not in the spam folder.`,
    )
    return true
  } catch (error) {
    const { code = '', responseCode = '', message } = error as { code?: string; responseCode?: number; message: string }
    say(`WRONG Email: the server did not accept it (${responseCode || code || message}).`)
    return false
  } finally {
    mailer.close()
  }
}

/** Resends one email, whether it failed or was sent. Emails are rendered when they are sent, so outdated ones are skipped. */
async function resend(id: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const effect = await findEffect(db, id)
  if (!effect?.kind.startsWith('email.')) {
    say(`There is no email ${id}. Emails are kept for 30 days; "mail resend ADDRESS" lists those to an address.`)
    return 1
  }
  if (effect.state === 'waiting') {
    say('It is already queued. The running site sends it.')
    return 1
  }
  if (effect.state === 'given up') await requeueDeadLetters(db, { id, now: clock.now() })
  else await requeueCopy(db, id, clock.now())
  say('Requeued. The running site sends it unless it is outdated.')
  return 0
}

/** Requeues failed emails to an address; if there are none, lists its emails to choose from. */
async function resendTo(address: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const emails = await listEmailsAbout(
    db,
    await findEmailSubjectIds(db, address, await findPersonIdsByAddress(db, address)),
  )
  const givenUp = emails.filter(({ state }) => state === 'given up')
  for (const { id } of givenUp) await requeueDeadLetters(db, { id, now: clock.now() })
  if (givenUp.length > 0) {
    say(
      `${givenUp.length} failed ${givenUp.length === 1 ? 'email' : 'emails'} requeued. The running site sends ${givenUp.length === 1 ? 'it' : 'them'}.`,
    )
    return 0
  }
  for (const { id, kind, state, at } of emails) say(`${id}  ${new Date(at).toISOString()}  ${kind}  ${state}`)
  say(emails.length === 0 ? 'There are no emails to this address.' : 'Run "mail resend ID" to send one again.')
  return emails.length === 0 ? 1 : 0
}
