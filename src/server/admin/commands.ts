import { createApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { readOrMakeSessionSecret } from '../config/session-secret.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { createAdvanceableClock, systemClock } from '../platform/clock.ts'
import { listDeadEffects, reviveEffects } from '../platform/outbox.repository.ts'
import { content } from './content.ts'
import { createOfficer } from './create-officer.ts'
import { media } from './media.ts'
import { messages } from './messages.ts'
import { newsletter } from './newsletter.ts'
import { sponsors } from './sponsors.ts'
import type { Say, Tools } from './tools.ts'

interface Command {
  usage: string
  explanation: string
  /** Answers the exit code. */
  run(parameters: readonly string[], tools: Tools): Promise<number>
}

const commands: Record<string, Command> = {
  'create-officer': {
    usage: 'create-officer EMAIL USERNAME "FIRST NAME" "LAST NAME"',
    explanation: 'an officer who can log in; prints the first password once',
    run: createOfficer,
  },
  outbox: {
    usage: 'outbox [retry [ID]]',
    explanation: 'letters and calls that were given up; retry puts one or all of them back',
    run: outbox,
  },
  stripe: {
    usage: 'stripe sync',
    explanation:
      'asks the card provider about every open checkout and every subscription due, and repairs what differs',
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
    usage: 'media list [BUCKET FOLDER] | media add BUCKET FOLDER FILE',
    explanation:
      'the pictures of home (hero, gallery), clinic (hero) and exec (team); add makes the sizes browsers want',
    run: media,
  },
  migrate: {
    usage: 'migrate',
    explanation: 'brings the database up to date and fills an empty one, as every start does',
    run: async (_parameters, { say }) => {
      say('The database is up to date.')
      return 0
    },
  },
}

/** Runs one command of `npm run admin -- …` and answers its exit code: 0 done, 1 failed, 2 not understood. */
export async function runCommand(words: readonly string[], config: Config, say: Say): Promise<number> {
  const [name = 'help', ...parameters] = words
  if (name === 'help') {
    for (const { usage, explanation } of Object.values(commands)) say(`${usage}\n    ${explanation}`)
    return 0
  }
  const command = commands[name]
  if (!command) {
    say(`There is no command "${name}". "npm run admin -- help" lists them.`)
    return 2
  }
  const clock = config.standinsUrl ? createAdvanceableClock(config.dataDirectory) : systemClock
  try {
    const database = await prepareDatabase(config, clock.now())
    try {
      return await command.run(parameters, { config, database, clock, say })
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

async function stripe([action]: readonly string[], { config, database, clock, say }: Tools): Promise<number> {
  if (action !== 'sync') {
    say('Say "stripe sync".')
    return 2
  }
  const app = await createApp({
    config: { ...config, logLevel: 'warn' },
    sessionSecret: config.sessionSecret ?? readOrMakeSessionSecret(config.dataDirectory),
    database,
    clock,
    makePages: null,
    polling: false,
  })
  try {
    await app.features.reconciler.run()
    say('Every checkout and subscription that was due has been compared.')
    return 0
  } finally {
    await app.close()
  }
}
