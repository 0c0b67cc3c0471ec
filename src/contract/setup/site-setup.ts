import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Setting up a new site in the console: its providers, what is left to write, and opening it. */

/** What an officer confirms, because the site cannot see it itself. */
export const CONFIRMED_STEPS = ['mail', 'dues', 'policies', 'brand', 'pictures'] as const
export type ConfirmedStep = (typeof CONFIRMED_STEPS)[number]

export const SETUP_STEPS = ['mail', 'cards', 'bot-check', 'dues', 'texts', 'policies'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** What the site can open without. */
export const OPTIONAL_STEPS = ['brand', 'pictures'] as const
export type OptionalStep = (typeof OPTIONAL_STEPS)[number]

const finding = z.object({
  about: z.string(),
  verdict: z.enum(['ok', 'look', 'wrong']),
  text: z.string(),
  /** The DNS record to publish. */
  publish: z.nullable(z.object({ name: z.string(), value: z.string() })),
})

/** Where the settings of a provider are. `incomplete`: the environment has only some of them. */
const source = z.enum(['environment', 'incomplete', 'console', 'missing'])
export type ProviderSource = z.infer<typeof source>

/** Stands in a starter text where only the association knows the words. */
export const TEXT_GAP = '[…]'

const unfinishedRecord = z.object({
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  /** The labels of the fields that have “[…]”; with what an entry of a list begins with. */
  fields: z.array(z.string()),
  /** Whether it is a policy whose version is still `draft`. */
  isDraft: z.boolean(),
})
export type UnfinishedRecord = z.infer<typeof unfinishedRecord>

export const getSiteSetup = endpoint({
  name: 'getSiteSetup',
  method: 'GET',
  path: '/api/console/setup',
  access: 'officer',
  permission: 'site.setup',
  summary: 'Get what is left to do before the site opens; this browser may then look at the site',
  reply: z.object({
    isOpen: z.boolean(),
    steps: z.array(z.object({ step: z.enum(SETUP_STEPS), isDone: z.boolean() })),
    /** Done once officers published a brand or there is a picture, or an officer confirms that it goes without. */
    optional: z.array(z.object({ step: z.enum(OPTIONAL_STEPS), isDone: z.boolean() })),
    /** What is left to write, as on the home page of the console. */
    unfinished: z.array(unfinishedRecord),
    providers: z.object({
      mail: z.object({ source, from: z.string(), testAddress: z.string() }),
      cards: z.object({
        source,
        isLive: z.boolean(),
        webhookUrl: z.string(),
        /** When the last event of the card provider arrived; null for none yet. */
        lastEventAt: z.nullable(z.string()),
      }),
      botCheck: z.object({ source }),
    }),
    startedAt: z.number(),
  }),
  failures: [],
})

const provided = z.object({
  /** The site restarts to use the new settings. */
  restarts: z.boolean(),
})

/** Each part of a mail server's address. */
const mailServer = z.object({
  host: z
    .string(messages.setup.mailHost)
    .check(z.trim(), z.regex(/^[A-Za-z0-9.-]{1,253}$|^\[[0-9a-fA-F:]{2,39}\]$/, messages.setup.mailHost)),
  port: z.int(messages.setup.mailPort).check(z.gte(1, messages.setup.mailPort), z.lte(65_535, messages.setup.mailPort)),
  /** TLS from the first byte, as on port 465; otherwise STARTTLS where the server offers it. */
  isSecure: z.boolean(),
  user: z.string().check(z.trim(), z.maxLength(320)),
  password: z.string().check(z.maxLength(1_024)),
  fromName: lineField(messages.setup.fromName, 120),
  fromAddress: z.email(messages.setup.fromAddress),
})

export const saveMailProvider = endpoint({
  name: 'saveMailProvider',
  method: 'POST',
  path: '/api/console/setup/mail',
  access: 'officer',
  permission: 'site.setup',
  requiresFreshFactor: true,
  summary: 'Try a mail server with a test email to the caller, and store it if it accepts that',
  body: mailServer,
  reply: provided,
  failures: ['PROVIDER_IN_ENVIRONMENT', 'MAIL_SERVER_REFUSED'],
})

export const checkMailProvider = endpoint({
  name: 'checkMailProvider',
  method: 'POST',
  path: '/api/console/setup/mail/check',
  access: 'officer',
  permission: 'site.setup',
  summary: 'Send a test email to the caller and check SPF, DKIM and DMARC of the sender',
  reply: z.object({ findings: z.array(finding), isSent: z.boolean(), sentTo: z.string() }),
  failures: [],
})

export const saveCardProvider = endpoint({
  name: 'saveCardProvider',
  method: 'POST',
  path: '/api/console/setup/cards',
  access: 'officer',
  permission: 'site.setup',
  requiresFreshFactor: true,
  summary: 'Store the keys of the card provider and create its webhook',
  body: z.object({
    secretKey: z
      .string(messages.setup.secretKey)
      .check(z.trim(), z.regex(/^[sr]k_(test|live)_[A-Za-z0-9_]{4,250}$/, messages.setup.secretKey)),
    publishableKey: z
      .string(messages.setup.publishableKey)
      .check(z.trim(), z.regex(/^pk_(test|live)_[A-Za-z0-9_]{4,250}$/, messages.setup.publishableKey)),
  }),
  reply: provided,
  failures: ['PROVIDER_IN_ENVIRONMENT', 'CARD_PROVIDER_REFUSED'],
})

export const sendCardTest = endpoint({
  name: 'sendCardTest',
  method: 'POST',
  path: '/api/console/setup/cards/test',
  access: 'officer',
  permission: 'site.setup',
  summary: 'Have the card provider send an event, without a payment: a checkout page that is closed at once',
  status: 204,
  failures: ['CARD_PROVIDER_REFUSED'],
})

export const saveBotCheckProvider = endpoint({
  name: 'saveBotCheckProvider',
  method: 'POST',
  path: '/api/console/setup/bot-check',
  access: 'officer',
  permission: 'site.setup',
  requiresFreshFactor: true,
  summary: 'Store the keys of the bot check if the provider accepts them',
  body: z.object({
    siteKey: z
      .string(messages.setup.botCheckKeys)
      .check(z.trim(), z.regex(/^[A-Za-z0-9_-]{10,100}$/, messages.setup.botCheckKeys)),
    secretKey: z
      .string(messages.setup.botCheckKeys)
      .check(z.trim(), z.regex(/^[A-Za-z0-9_-]{10,100}$/, messages.setup.botCheckKeys)),
  }),
  reply: provided,
  failures: ['PROVIDER_IN_ENVIRONMENT', 'BOT_CHECK_REFUSED'],
})

export const confirmSetupStep = endpoint({
  name: 'confirmSetupStep',
  method: 'POST',
  path: '/api/console/setup/confirm',
  access: 'officer',
  permission: 'site.setup',
  summary: 'Confirm a step that the site cannot see itself',
  body: z.object({ step: z.enum(CONFIRMED_STEPS) }),
  status: 204,
  failures: ['SETUP_STEP_EARLY'],
})

export const openSite = endpoint({
  name: 'openSite',
  method: 'POST',
  path: '/api/console/setup/open',
  access: 'officer',
  permission: 'site.setup',
  requiresFreshFactor: true,
  summary: 'Open the site to visitors',
  status: 204,
  failures: ['SETUP_UNFINISHED'],
})
