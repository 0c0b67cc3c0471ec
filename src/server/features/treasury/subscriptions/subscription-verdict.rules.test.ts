import { expect, test } from 'vitest'
import type { Level } from '#server/features/levels/level.queries.ts'
import type { Membership } from '#server/features/memberships/membership.queries.ts'
import type { ForeignSubscription } from '#server/stripe/payment-gateway.ts'
import { judgeSubscription, type SubscriptionFacts } from './subscription-verdict.rules.ts'
import { BY_HAND } from '#server/features/memberships/membership.rules.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')
const MOMENT = { now: NOW, graceMs: 14 * DAY, timeZone: 'America/New_York' }
const LEVEL = {
  key: 'annual',
  name: 'Annual Member',
  unitAmount: 10_000,
  currency: 'usd',
  interval: 'year',
  intervalCount: 1,
  isRecurring: true,
} as Level

const SNAPSHOT: ForeignSubscription['snapshot'] = {
  id: 'sub_1',
  customerId: 'cus_1',
  status: 'active',
  levelKey: null,
  renewalAmount: 8_000,
  startedAt: NOW - 100 * DAY,
  periodEndsAt: Date.parse('2027-03-01T12:00:00Z'),
  cancelsAtPeriodEnd: false,
  endedAt: null,
  failedSince: null,
  nextAttemptAt: null,
  amountDue: null,
}
const MEMBERSHIP = {
  kind: 'RECURRING',
  endsAt: NOW + 10 * DAY,
  stripeSubscriptionId: null,
  ...BY_HAND,
} as Membership
const ACCOUNT: NonNullable<SubscriptionFacts['account']> = { isClosed: false, refusal: null, membership: MEMBERSHIP }

function judge(
  given: Omit<Partial<ForeignSubscription>, 'snapshot'> & { snapshot?: Partial<ForeignSubscription['snapshot']> } = {},
  facts: Partial<SubscriptionFacts> = {},
) {
  const { snapshot, ...subscription } = given
  return judgeSubscription(
    {
      email: 'a@example.org',
      isOurs: false,
      items: 1,
      name: 'Gold',
      currency: 'usd',
      months: 12,
      obstacle: null,
      ...subscription,
      snapshot: { ...SNAPSHOT, ...snapshot },
    },
    { isKnown: false, withSameEmail: 1, choice: 'chosen', level: LEVEL, account: ACCOUNT, ...facts },
    MOMENT,
  )
}

const held = (membership: Partial<Membership>) => ({
  account: { ...ACCOUNT, membership: { ...MEMBERSHIP, ...membership } },
})

test.each<[string, Parameters<typeof judge>, string, RegExp]>([
  ['renews', [], 'ready', /^Becomes Annual Member\. Renews on March 1, 2027 at the old price\.$/],
  ['of a member without a membership', [{}, { account: { ...ACCOUNT, membership: null } }], 'ready', /Renews/],
  ['of a member whose membership ended', [{}, held({ endedAt: NOW - DAY })], 'ready', /Renews/],
  ['of a member whose subscription here ended', [{}, held({ stripeStatus: 'canceled' })], 'ready', /Renews/],
  ['ends with its term', [{ snapshot: { cancelsAtPeriodEnd: true } }], 'ending', /ends on March 1, 2027/],
  ['is on trial', [{ snapshot: { status: 'trialing' } }], 'ready', /Renews/],
  ['owes since yesterday', [{ snapshot: { status: 'past_due', failedSince: NOW - DAY } }], 'ready', /still due/],
  [
    'owes since long ago',
    [{ snapshot: { status: 'past_due', failedSince: NOW - 30 * DAY } }],
    'wrong',
    /no longer tried/,
  ],
  ['known here', [{}, { isKnown: true }], 'ours', /already/],
  ['sold by this site', [{ isOurs: true }], 'ours', /already/],
  ['left out', [{}, { choice: 'left-out', level: null }], 'left-out', /left out/],
  ['without a level', [{}, { choice: 'none', level: null }], 'wrong', /Choose the level/],
  ['unpaid', [{ snapshot: { status: 'unpaid' } }], 'wrong', /does not charge it \(unpaid\)/],
  ['not paid at first', [{ snapshot: { status: 'incomplete' } }], 'wrong', /does not charge it/],
  ['of two prices', [{ items: 2 }], 'wrong', /more than one thing/],
  ['by use', [{ snapshot: { renewalAmount: null } }], 'wrong', /not a fixed amount/],
  ['free', [{ snapshot: { renewalAmount: 0 } }], 'wrong', /charges nothing/],
  ['by invoice', [{ obstacle: 'invoices' }], 'wrong', /sends invoices/],
  ['paused', [{ obstacle: 'paused' }], 'wrong', /paused/],
  ['with a schedule', [{ obstacle: 'schedule' }], 'wrong', /schedule/],
  ['that ends later', [{ obstacle: 'ends-later' }], 'wrong', /after its current term/],
  ['without an address', [{ email: null }], 'wrong', /no email/],
  ['twice', [{}, { withSameEmail: 2 }], 'wrong', /Several/],
  ['of a stranger', [{}, { account: null }], 'wrong', /No account/],
  ['of a closed account', [{}, { account: { ...ACCOUNT, isClosed: true } }], 'wrong', /disabled/],
  ['of the officer', [{}, { account: { ...ACCOUNT, refusal: 'OWN_ACCOUNT' } }], 'wrong', /own account/],
  ['of one who pays here', [{}, held({ stripeStatus: 'active' })], 'wrong', /another subscription here/],
  [
    'of one who owes here',
    [{}, held({ stripeStatus: 'past_due', pastDueSince: NOW })],
    'wrong',
    /another subscription/,
  ],
  ['of a lifetime member', [{}, held({ kind: 'ONE_TIME', endsAt: null })], 'wrong', /lifetime/],
  ['in euro', [{ currency: 'eur' }], 'wrong', /EUR; Annual Member is sold in USD/],
  ['monthly', [{ months: 1 }], 'wrong', /last a month; those of Annual Member last a year/],
  ['weekly', [{ months: null }], 'wrong', /days or weeks/],
])('a subscription %s', (_name, given, verdict, sentence) => {
  const judged = judge(...given)
  expect(judged.verdict).toBe(verdict)
  expect(judged.sentence).toMatch(sentence)
})
