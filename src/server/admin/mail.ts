import { isEmailShaped } from '#contract/fields.ts'
import { readSettings } from '../features/association/content.repository.ts'
import { checkMailRecords } from '../mail/mail-records.ts'
import type { MailFinding } from '../mail/mail-records.rules.ts'
import { checkMailServer } from '../mail/mail-server.ts'
import { createMailer } from '../mail/mailer.ts'
import { testLetter } from '../mail/test.emails.ts'
import { newId } from '../platform/ids.ts'
import { letterSubjects, peopleAt } from '../features/account/letter-subjects.repository.ts'
import { findEffect, listLettersAbout, reviveEffects, sendAgain } from '../platform/outbox.repository.ts'
import type { Tools } from './tools.ts'

const MARKS: Record<MailFinding['verdict'], string> = { ok: 'ok   ', look: 'look ', wrong: 'WRONG' }

/** `mail test [ADDRESS]` and `mail resend ID|ADDRESS`. */
export async function mail([action, value = '']: readonly string[], tools: Tools): Promise<number> {
  if (action === 'test' && (value === '' || isEmailShaped(value))) return test(value, tools)
  if (action === 'resend' && value !== '') return value.includes('@') ? resendTo(value, tools) : resend(value, tools)
  tools.say('Say "mail test", "mail test ADDRESS", "mail resend ID" or "mail resend ADDRESS".')
  return 2
}

async function test(address: string, tools: Tools): Promise<number> {
  const { config, say } = tools
  const findings = [...(await checkMailServer(config.mail.smtpUrl)), ...(await checkMailRecords(config))]
  for (const { about, verdict, text, publish } of findings) {
    say(`${MARKS[verdict]} ${about}: ${text}`)
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
    await mailer.send({ ...testLetter(config.siteUrl, association), to: address }, `test.${newId(clock.now())}`)
    say(`ok    Letter: the server took one for ${address}. See whether it arrives, and not among spam.`)
    return true
  } catch (error) {
    const { code = '', responseCode = '', message } = error as { code?: string; responseCode?: number; message: string }
    say(`WRONG Letter: the server did not take it (${responseCode || code || message}).`)
    return false
  } finally {
    mailer.close()
  }
}

/** One letter once more, whether it was given up or sent. What is no longer true is not sent: letters are composed when they go out. */
async function resend(id: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const effect = await findEffect(db, id)
  if (!effect?.kind.startsWith('letter.')) {
    say(`There is no letter ${id}. They are kept for 30 days; "mail resend ADDRESS" lists those to somebody.`)
    return 1
  }
  if (effect.state === 'waiting') {
    say('It waits to be sent already; the running site sends it.')
    return 1
  }
  if (effect.state === 'given up') await reviveEffects(db, { id, now: clock.now() })
  else await sendAgain(db, id, clock.now())
  say('Put back; the running site sends it if what it says is still true.')
  return 0
}

/** What was given up goes out again; else says what there is to choose from. */
async function resendTo(address: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const letters = await listLettersAbout(db, await letterSubjects(db, address, await peopleAt(db, address)))
  const givenUp = letters.filter(({ state }) => state === 'given up')
  for (const { id } of givenUp) await reviveEffects(db, { id, now: clock.now() })
  if (givenUp.length > 0) {
    say(
      `${givenUp.length} given-up ${givenUp.length === 1 ? 'letter' : 'letters'} put back; the running site sends them.`,
    )
    return 0
  }
  for (const { id, kind, state, at } of letters) say(`${id}  ${new Date(at).toISOString()}  ${kind}  ${state}`)
  say(letters.length === 0 ? 'No letter is kept for this address.' : 'Say "mail resend ID" to send one again.')
  return letters.length === 0 ? 1 : 0
}
