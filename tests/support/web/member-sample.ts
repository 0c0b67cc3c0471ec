import type { PersonRecord } from '#contract/console/people/person-state.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import type { MemberDirectory } from '#contract/console/people/member-directory.ts'
import { annual, subscriptionTo } from './page-test-helpers.tsx'

/** A member whose membership expired, for tests. */
export const sampleMember: ConsoleMember = {
  id: 'm1',
  email: 'meera@example.com',
  username: 'meera.r',
  name: { first: 'Meera', last: 'Rao' },
  joinedAt: '2019-03-02T12:00:00.000Z',
  state: 'EXPIRED',
  subscription: subscriptionTo(annual, { status: 'EXPIRED', renewal: 'none' }),
  endsAt: '2026-03-02T12:00:00.000Z',
  movesTermOf: null,
  hasSubscription: false,
  version: 'as read',
  payments: [
    {
      id: 'p1',
      receiptNumber: 'R-2026-ABC',
      purpose: 'start',
      levelKey: 'annual_member',
      levelName: 'Annual Member',
      amount: 10_000,
      currency: 'usd',
      amountRefunded: 0,
      dispute: null,
      paidAt: '2025-03-02T12:00:00.000Z',
      periodEndsAt: '2026-03-02T12:00:00.000Z',
      receiptSentAt: null,
      byHand: null,
      refund: { amount: 10_000, refusal: null },
      ifReturned: 'ends',
      credits: [],
      creditOwed: 0,
      creditsUsed: [],
      voided: null,
      replaces: null,
      replacedBy: null,
    },
  ],
  letters: [],
  consents: [],
  newsletter: null,
  credentials: [],
  devices: 1,
  merges: [],
  history: [],
  levels: [{ key: 'annual_member', name: 'Annual Member', isLifetime: false, unitAmount: 10_000 }],
  mayChange: true,
  mayViewAs: true,
  mayDecide: true,
  mayChangeMoney: true,
}

/** A member who is not listed. */
export const memberDirectorySample: MemberDirectory = {
  inMembers: false,
  inPublic: false,
  isShownToMembers: false,
  isShownToPublic: false,
  mayRemove: false,
}

export const personStateSample: PersonRecord = {
  state: 'living',
  decision: null,
  reports: [],
  decidableFrom: null,
  mayReport: true,
  mayDecide: true,
}
