import * as z from 'zod/mini'
import { levelChoice, levelMatch } from '#contract/console/people/earlier-levels.ts'
import { endpoint, type ReplyOf } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Subscriptions that an earlier system created in the association's own account at the card provider. They continue here: nothing is charged or emailed. */

/** More are not read. */
export const SUBSCRIPTION_IMPORT_MAX = 2_000
export const SUBSCRIPTION_ROWS_SHOWN = 100

/** `ready` and `ending` are imported; the others are left as they are. */
export const SUBSCRIPTION_VERDICTS = ['ready', 'ending', 'ours', 'left-out', 'wrong'] as const
export type SubscriptionVerdict = (typeof SUBSCRIPTION_VERDICTS)[number]

const shared = { access: 'officer', permission: 'money.change' } as const

const earlierPrice = z.extend(levelMatch, {
  /** The name, amount and interval, normalized. */
  key: z.string(),
  name: z.string(),
  /** Cents; null if the price is not a fixed amount. */
  amount: z.nullable(z.int()),
  currency: z.string(),
  /** How long a term lasts; null if it is not counted in months. */
  months: z.nullable(z.int()),
  subscriptions: z.int(),
})
export type EarlierPrice = z.infer<typeof earlierPrice>

const subscriptionRow = z.object({
  subscriptionId: z.string(),
  email: z.string(),
  /** Of the account; empty if there is none. */
  name: z.string(),
  /** Name of the price. */
  price: z.string(),
  amount: z.nullable(z.int()),
  currency: z.string(),
  /** When its current term ends. */
  periodEndsAt: z.string(),
  verdict: z.enum(SUBSCRIPTION_VERDICTS),
  sentence: z.string(),
})
export type SubscriptionRow = z.infer<typeof subscriptionRow>

const review = z.object({
  /** Hash of what would be imported, so that this is what is imported. */
  digest: z.string(),
  prices: z.array(earlierPrice),
  levels: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      amount: z.int(),
      currency: z.string(),
      months: z.int(),
    }),
  ),
  counts: z.object({
    /** That renew. */
    ready: z.int(),
    /** That end with their term. */
    ending: z.int(),
    ours: z.int(),
    leftOut: z.int(),
    wrong: z.int(),
  }),
  /** The first of those that would be imported, and of the others. */
  imported: z.array(subscriptionRow),
  skipped: z.array(subscriptionRow),
  /** A CSV with the verdict of every subscription, safe to open in a spreadsheet. */
  verdicts: z.string(),
  /** Whether there are more subscriptions than are read. */
  hasMore: z.boolean(),
})
export type SubscriptionReview = z.infer<typeof review>

export const reviewSubscriptions = endpoint({
  ...shared,
  name: 'reviewSubscriptions',
  method: 'POST',
  path: '/api/console/subscription-imports/review',
  summary:
    'List the live subscriptions in the account at the card provider, and what an import would do with each; imports nothing, and remembers the chosen levels',
  body: z.object({
    /** The prices whose level was chosen since the last review. */
    choices: z.array(levelChoice).check(z.maxLength(SUBSCRIPTION_IMPORT_MAX, messages.text.unreadable)),
  }),
  reply: review,
  failures: ['PROVIDER_AWAY'],
})

export const importSubscriptions = endpoint({
  ...shared,
  name: 'importSubscriptions',
  method: 'POST',
  path: '/api/console/subscription-imports',
  requiresFreshFactor: true,
  summary: 'Import the reviewed subscriptions: they keep their price and day; nothing is charged or emailed',
  body: z.object({ digest: z.string().check(z.regex(/^[0-9a-f]{64}$/, messages.text.unreadable)) }),
  reply: z.object({ subscriptions: z.int() }),
  status: 201,
  failures: ['CHANGED_MEANWHILE', 'PROVIDER_AWAY'],
})

export const listSubscriptionImports = endpoint({
  ...shared,
  name: 'listSubscriptionImports',
  method: 'GET',
  path: '/api/console/subscription-imports/recent',
  summary: 'List the imports of subscriptions of the last 30 days, newest first',
  reply: z.object({
    imports: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        by: z.string(),
        undoneAt: z.nullable(z.string()),
        waiting: z.int(),
        imported: z.int(),
        undone: z.int(),
        /** The first of those that were not imported, or that an undo kept, and why. */
        exceptions: z.array(z.object({ name: z.string(), accountId: z.string(), sentence: z.string() })),
      }),
    ),
  }),
  failures: [],
})
export type SubscriptionImportLine = ReplyOf<typeof listSubscriptionImports>['imports'][number]

export const undoSubscriptionImport = endpoint({
  ...shared,
  name: 'undoSubscriptionImport',
  method: 'POST',
  path: '/api/console/subscription-imports/:id/undo',
  requiresFreshFactor: true,
  summary:
    'Undo an import of subscriptions to which nothing has happened since: memberships are as before, and nothing is canceled or charged',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  body: z.object({}),
  reply: z.object({
    undone: z.int(),
    /** Renewed, changed or ended since, or of an account the officer may not change. */
    kept: z.int(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
