import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { openMigratedDatabase, prepareDatabase } from '../prepare-database.ts'
import { createAdvanceableClock, systemClock } from '../platform/clock.ts'
import { listDeadEffects, reviveEffects } from '../platform/outbox.repository.ts'
import { backup, restore } from './backup.ts'
import { check } from './check.ts'
import { content } from './content.ts'
import { createOfficer } from './create-officer.ts'
import { formsOf } from './help.ts'
import { mail } from './mail.ts'
import { media } from './media.ts'
import { members } from './members.ts'
import { messages } from './messages.ts'
import { move } from './move.ts'
import { newsletter } from './newsletter.ts'
import { officers } from './officers.ts'
import { payments } from './payments.ts'
import { reminders } from './reminders.ts'
import { seed } from './seed.ts'
import { sponsors } from './sponsors.ts'
import { stripe } from './stripe.ts'
import type { Say, ToolsWithoutDatabase, Tools } from './tools.ts'

interface Command {
  usage: string
  explanation: string
  /** An empty database stays empty until the command fills it. */
  leavesEmpty?: true
  /** Leaves the database as it is, not even brought up to date, and reads as much of it as it likes. */
  readsOnly?: true
  /** Answers the exit code. */
  run?(parameters: readonly string[], tools: Tools): Promise<number>
  /** In place of `run` for a command that must find the database as it was left: neither migrated nor filled. */
  runWithoutDatabase?(parameters: readonly string[], tools: ToolsWithoutDatabase): Promise<number>
}

const commands: Record<string, Command> = {
  'create-officer': {
    usage: 'create-officer EMAIL USERNAME "FIRST NAME" "LAST NAME"',
    explanation: 'an officer who can log in; prints the first password once',
    run: createOfficer,
  },
  officers: {
    usage: 'officers [list] | officers appoint NAME [ROLE] | officers forget-app NAME',
    explanation:
      'who holds which role; appoint gives a member one for a year (president unless said), where nobody can in the console; forget-app takes the authenticator app, the passkeys and the recovery codes of somebody whose phone is lost, who then sets up new ones',
    run: officers,
  },
  outbox: {
    usage: 'outbox [retry [ID]]',
    explanation: 'letters and calls that were given up; retry puts one or all of them back',
    run: outbox,
  },
  members: {
    usage:
      'members list [STATUS] | show NAME | disable NAME | enable NAME | reset NAME | email NAME NEW_ADDRESS "REASON" | withdraw-email NAME | add EMAIL "FIRST NAME" "LAST NAME" LEVEL FIRST_DAY [LAST_DAY] --free "REASON"|--check NUMBER AMOUNT DAY|--cash MARK AMOUNT DAY [--invite] [--another] | end NAME request|deceased "REASON" [--dry-run] | import FILE [--dry-run] | undo BATCH | export FILE | review | approve NAME OFFICER "EVIDENCE" | decline NAME OFFICER "REASON"',
    explanation:
      'who is a member, with the whole history; NAME is an address, a username or an id; email asks for another address, which counts once it was confirmed from there; add makes one member with a term that is free or paid by check or cash; end closes an account whose owner asked for it or died, and says first what happens; import and export are CSV',
    run: members,
  },
  payments: {
    usage: 'payments [YYYY-MM] | payments void RECEIPT "REASON" | payments correct RECEIPT [OPTIONS] "REASON"',
    explanation:
      'dues received in a month, with what went back; void cancels the record of a check or cash, correct replaces it (--amount, --method, --reference, --paid-on, --level), and both email the member',
    run: payments,
  },
  reminders: {
    usage: 'reminders --dry-run [DAYS]',
    explanation: 'who would be written to about their membership now, or in so many days',
    run: reminders,
  },
  stripe: {
    usage: 'stripe sync | stripe replay [ID]',
    explanation:
      'sync compares everything with the card provider now and repairs what differs; replay lists the notices kept, or has one handled again',
    run: stripe,
  },
  content: {
    usage: 'content export FOLDER | content import FOLDER',
    explanation:
      'writes the words, events, people and settings of the site as files, or takes them over from files, all or nothing',
    run: content,
  },
  messages: {
    usage: 'messages [list | show ID | answered ID]',
    explanation: 'what visitors wrote and nobody has answered, with the time left of the promise',
    run: messages,
  },
  sponsors: {
    usage: 'sponsors [list | promises | done ID remarks|table|logo]',
    explanation: 'who sponsors, and what was promised them and is still to be kept',
    run: sponsors,
  },
  newsletter: {
    usage:
      'newsletter [list | import FILE | preview ID [FOLDER] | test ID EMAIL | send ID | status ID [--watch] | pause|resume|again ID | subscribers [import FILE] | bounce | webhook]',
    explanation: 'makes, tries, sends and follows a newsletter; counts readers and takes returned mail',
    run: newsletter,
  },
  media: {
    usage: 'media list [BUCKET FOLDER] | media add BUCKET FOLDER FILE [--shows TEXT] [--caption TEXT] [--person NAME]',
    explanation:
      'the pictures of home (hero, gallery, articles), clinic (hero) and exec (team); add makes the sizes browsers want',
    run: media,
  },
  mail: {
    usage: 'mail test [ADDRESS] | mail resend ID|ADDRESS',
    explanation:
      'whether the mail server takes letters and the world believes them (SPF, DKIM, DMARC), with the records to publish; resend sends a letter once more',
    run: mail,
  },
  check: {
    usage: 'check',
    explanation:
      'whether the database is whole and everything holds that must; changes nothing, and ends with 1 when not',
    readsOnly: true,
    run: check,
  },
  backup: {
    usage: 'backup [FOLDER] [--keep DAYS]',
    explanation:
      'copies the database, media and the session secret into a dated folder while the site runs; of earlier days one backup stays each, for 14 days unless said otherwise',
    runWithoutDatabase: backup,
  },
  restore: {
    usage: 'restore FOLDER [--replace]',
    explanation:
      'makes an empty place the site of a backup, or of the newest in the folder; with --replace what is there is kept aside',
    runWithoutDatabase: restore,
  },
  move: {
    usage: 'move --to postgres://… | move --to sqlite:FILE',
    explanation:
      'copies the whole database into an empty one of the other engine and compares both; the site is stopped',
    runWithoutDatabase: move,
  },
  migrate: {
    usage: 'migrate',
    explanation: 'brings the database up to date and fills an empty one, as every start does',
    run: async (_parameters, { say }) => {
      say('The database is up to date.')
      return 0
    },
  },
  seed: {
    usage: 'seed [--samples]',
    explanation: 'fills an empty database with pages, levels and settings, with --samples also with invented people',
    leavesEmpty: true,
    run: seed,
  },
}

/** Runs one command of `npm run admin -- …` and answers its exit code: 0 done, 1 failed, 2 not understood. */
export async function runCommand(words: readonly string[], config: Config, say: Say): Promise<number> {
  const [name = 'help', ...parameters] = words
  if (name === 'help') {
    say('npm run admin -- COMMAND, where COMMAND is one of these; what stands in [ ] may be left out.\n')
    for (const [command, { usage, explanation }] of Object.entries(commands))
      say(`${formsOf(command, usage).join('\n')}\n    ${explanation}\n`)
    return 0
  }
  const command = commands[name]
  if (!command) {
    say(`There is no command "${name}". "npm run admin -- help" lists them.`)
    return 2
  }
  const clock = config.standinsUrl ? createAdvanceableClock(config.dataDirectory) : systemClock
  try {
    if (command.runWithoutDatabase) return await command.runWithoutDatabase(parameters, { config, clock, say })
    const database = await openFor(command, config, clock.now())
    try {
      return (await command.run?.(parameters, { config, database, clock, say })) ?? 0
    } finally {
      await database.close()
    }
  } finally {
    clock.close()
  }
}

async function outbox([action, id]: readonly string[], { database, clock, say }: Tools): Promise<number> {
  if (action === 'retry') {
    say(`${await reviveEffects(database.db, { id, now: clock.now() })} put back; the running site sends them.`)
    return 0
  }
  const dead = await listDeadEffects(database.db)
  for (const effect of dead)
    say(`${effect.id}  ${effect.kind}  ${new Date(effect.deadAt).toISOString()}  ${effect.error ?? ''}`)
  say(dead.length === 0 ? 'Nothing was given up.' : `${dead.length} given up. "outbox retry" puts them all back.`)
  return 0
}

function openFor({ readsOnly, leavesEmpty }: Command, config: Config, now: number): Database | Promise<Database> {
  if (readsOnly) return openDatabase(config.databaseUrl, console, { statementTimeoutMs: null })
  return leavesEmpty ? openMigratedDatabase(config, now) : prepareDatabase(config, now)
}
