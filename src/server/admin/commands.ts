import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { openMigratedDatabase, prepareDatabase } from '../prepare-database.ts'
import { createAdvanceableClock, systemClock } from '#server/lib/clock.ts'
import { listDeadLetters, requeueDeadLetters } from '#server/jobs/outbox-records.repository.ts'
import { backup, restore } from './backup.ts'
import { check } from './check.ts'
import { content } from './content.ts'
import { createOfficer } from './officers/create-officer.ts'
import { expandUsage } from './help.ts'
import { mail } from './mail.ts'
import { media } from './media.ts'
import { members } from './members/member-commands.ts'
import { messages } from './messages.ts'
import { move } from './move.ts'
import { newsletter } from './newsletter/newsletter.ts'
import { officers } from './officers/officers.ts'
import { payments } from './payments.ts'
import { releases } from './upgrade/releases.ts'
import { upgrade } from './upgrade/upgrade.ts'
import { reminders } from './reminders.ts'
import { seed } from './seed.ts'
import { setup } from './setup.ts'
import { withStoredProviders } from '#server/features/setup/stored-providers.service.ts'
import { sponsors } from './sponsors.ts'
import { stripe } from './stripe.ts'
import { withTimeZone } from '../features/content-store/region.queries.ts'
import type { Say, ToolsWithoutDatabase, Tools } from './tools.ts'

interface Command {
  usage: string
  explanation: string
  /** Leaves an empty database empty. */
  leavesEmpty?: true
  /** Neither migrates nor seeds the database, and runs without a statement timeout. */
  readsOnly?: true
  /** Returns the exit code. */
  run?(args: readonly string[], tools: Tools): Promise<number>
  /** Instead of `run`, for a command that opens the database itself: it is neither migrated nor seeded first. */
  runWithoutDatabase?(args: readonly string[], tools: ToolsWithoutDatabase): Promise<number>
}

const commands: Record<string, Command> = {
  setup: {
    usage: 'setup code | setup open',
    explanation:
      'of a new site: code prints the address of the set-up page, valid for an hour and once; open opens a site that was set up by commands',
    run: setup,
  },
  'create-officer': {
    usage: 'create-officer EMAIL USERNAME "FIRST NAME" "LAST NAME"',
    explanation: 'creates an officer who can log in; prints the first password once',
    run: createOfficer,
  },
  officers: {
    usage: 'officers [list] | officers appoint NAME [ROLE] | officers forget-app NAME',
    explanation:
      'lists roles and their holders; appoint assigns a role to a member for a year (president by default) when no one can in the console; forget-app removes the authenticator app, passkeys and recovery codes of an officer who lost their phone, who then sets up new ones',
    run: officers,
  },
  outbox: {
    usage: 'outbox [retry [ID]]',
    explanation: 'lists emails and calls that failed permanently; retry requeues one or all of them',
    run: outbox,
  },
  members: {
    usage:
      'members list [STATUS] | show NAME | disable NAME | enable NAME | reset NAME | email NAME NEW_ADDRESS "REASON" | withdraw-email NAME | add EMAIL "FIRST NAME" "LAST NAME" LEVEL FIRST_DAY [LAST_DAY] --free "REASON"|--check NUMBER AMOUNT DAY|--cash MARK AMOUNT DAY [--invite] [--another] | end NAME request|deceased "REASON" [--dry-run] | import FILE [--dry-run] | undo BATCH | export FILE | review | approve NAME OFFICER "EVIDENCE" | decline NAME OFFICER "REASON"',
    explanation:
      'lists and manages members, with their full history; NAME is an email address, a username or an id; email changes the address once the new one is confirmed; add creates a member with a term that is free or paid by check or cash; end closes an account at its owner’s request or after their death, and first lists the consequences; import and export use CSV',
    run: members,
  },
  payments: {
    usage: 'payments [YYYY-MM] | payments void RECEIPT "REASON" | payments correct RECEIPT [OPTIONS] "REASON"',
    explanation:
      'lists dues received in a month, with refunds; void cancels the record of a check or cash payment, correct replaces it (--amount, --method, --reference, --paid-on, --level), and both email the member',
    run: payments,
  },
  reminders: {
    usage: 'reminders --dry-run [DAYS]',
    explanation: 'lists the membership reminders that would be sent now, or in DAYS days',
    run: reminders,
  },
  stripe: {
    usage: 'stripe sync | stripe replay [ID]',
    explanation:
      'sync compares everything with the card provider now and repairs differences; replay lists stored webhook events, or processes one again',
    run: stripe,
  },
  content: {
    usage: 'content export FOLDER | content import FOLDER',
    explanation: 'exports the pages, events, people and settings of the site to files, or imports them, all or nothing',
    run: content,
  },
  messages: {
    usage: 'messages [list | show ID | answered ID]',
    explanation: 'lists unanswered messages from visitors, with the time left to reply',
    run: messages,
  },
  sponsors: {
    usage: 'sponsors [list | promises | done ID remarks|table|logo]',
    explanation: 'lists sponsors, and the benefits still owed to them',
    run: sponsors,
  },
  newsletter: {
    usage:
      'newsletter [list | import FILE | preview ID [FOLDER] | test ID EMAIL | send ID | status ID [--watch] | pause|resume|again ID | subscribers [import FILE] | bounce | webhook]',
    explanation: 'imports, previews, tests, sends and monitors a newsletter; counts subscribers and processes bounces',
    run: newsletter,
  },
  media: {
    usage: 'media list [BUCKET FOLDER] | media add BUCKET FOLDER FILE [--shows TEXT] [--caption TEXT] [--person NAME]',
    explanation:
      'lists the pictures of home (hero, gallery, articles), clinic (hero) and exec (team); add also creates the sizes browsers need',
    run: media,
  },
  mail: {
    usage: 'mail test [ADDRESS] | mail resend ID|ADDRESS',
    explanation:
      'tests the mail server and the records of the sending domain (SPF, DKIM, DMARC), and shows the records to publish; resend sends an email again',
    run: mail,
  },
  check: {
    usage: 'check',
    explanation: 'checks the integrity of the database and its data; changes nothing, and exits with 1 on problems',
    readsOnly: true,
    run: check,
  },
  backup: {
    usage: 'backup [FOLDER] [--keep DAYS]',
    explanation:
      'copies the database, media and the session secret into a dated folder while the site runs; keeps one backup per day, for 14 days by default',
    runWithoutDatabase: backup,
  },
  restore: {
    usage: 'restore FOLDER [--replace]',
    explanation:
      'restores a backup, or the newest in a folder, into an empty database and data directory; --replace moves existing data aside',
    runWithoutDatabase: restore,
  },
  releases: {
    usage: 'releases',
    explanation:
      'looks for a newer release where RELEASES_URL is set, and stores what it brings for the console; sends only the running version',
    runWithoutDatabase: releases,
  },
  upgrade: {
    usage: 'upgrade [ARCHIVE] [--yes]',
    explanation:
      'on a server: installs the newest release, or the one in an archive, after a backup, and returns to the present one by itself if the new one does not become ready; --yes confirms what the release asks first',
    runWithoutDatabase: upgrade,
  },
  move: {
    usage: 'move --to postgres://… | move --to sqlite:FILE',
    explanation: 'copies the database into an empty one of the other engine and compares both; stop the site first',
    runWithoutDatabase: move,
  },
  migrate: {
    usage: 'migrate',
    explanation: 'migrates the database and seeds an empty one, as every start does',
    run: async (_parameters, { say }) => {
      say('The database is up to date.')
      return 0
    },
  },
  seed: {
    usage: 'seed [--samples]',
    explanation: 'seeds an empty database with pages, levels and settings; --samples adds fictional people',
    leavesEmpty: true,
    run: seed,
  },
}

/** Runs one command of `npm run admin -- …`. Returns the exit code: 0 done, 1 failed, 2 invalid usage. */
export async function runCommand(args: readonly string[], config: Config, say: Say): Promise<number> {
  const [name = 'help', ...parameters] = args
  if (name === 'help') {
    say('npm run admin -- COMMAND, where COMMAND is one of the following. Parts in [ ] are optional.\n')
    for (const [command, { usage, explanation }] of Object.entries(commands))
      say(`${expandUsage(command, usage).join('\n')}\n    ${explanation}\n`)
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
      const complete = command.readsOnly ? config : await withStoredProviders(config, database.db)
      const site = await withTimeZone(complete, database.db)
      return (await command.run?.(parameters, { config: site, database, clock, say })) ?? 0
    } finally {
      await database.close()
    }
  } finally {
    clock.close()
  }
}

/** EX_TEMPFAIL of sysexits.h. */
const TRY_AGAIN = 75

/** The exit code of a command that threw. A mail server that pipes a bounce into this program keeps it and tries again, instead of dropping it. */
export function failureCode([name, action]: readonly string[]): number {
  return name === 'newsletter' && action === 'bounce' ? TRY_AGAIN : 1
}

async function outbox([action, id]: readonly string[], { database, clock, say }: Tools): Promise<number> {
  if (action === 'retry') {
    say(`${await requeueDeadLetters(database.db, { id, now: clock.now() })} requeued. The running site sends them.`)
    return 0
  }
  const dead = await listDeadLetters(database.db)
  for (const effect of dead)
    say(`${effect.id}  ${effect.kind}  ${new Date(effect.deadAt).toISOString()}  ${effect.error ?? ''}`)
  say(dead.length === 0 ? 'Nothing has failed.' : `${dead.length} failed. "outbox retry" requeues all of them.`)
  return 0
}

function openFor({ readsOnly, leavesEmpty }: Command, config: Config, now: number): Database | Promise<Database> {
  if (readsOnly) return openDatabase(config.databaseUrl, console, { statementTimeoutMs: null })
  return leavesEmpty ? openMigratedDatabase(config, now) : prepareDatabase(config, now)
}
