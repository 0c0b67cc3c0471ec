import { expect, test } from 'vitest'
import type { Membership } from '#server/features/memberships/membership.queries.ts'
import { changeSinceImport } from './subscription-undo.rules.ts'

const AFTER = {
  levelKey: 'annual',
  endsAt: 2_000,
  stripeStatus: 'active',
  cancelAtPeriodEnd: false,
  renewalAmount: 8_000,
  pastDueSince: null,
}
const MEMBERSHIP = { ...AFTER, id: 'm', accountId: 'a', isCurrent: 1, endedAt: null } as Membership

test.each<[Partial<Membership> | null, string | null]>([
  [{}, null],
  [{ updatedAt: 5 }, null],
  [null, 'It belongs to another membership now.'],
  [{ id: 'other' }, 'It belongs to another membership now.'],
  [{ accountId: 'merged' }, 'It belongs to another membership now.'],
  [{ isCurrent: null }, 'Another membership replaced this one.'],
  [{ endedAt: 1_500 }, 'The membership has ended.'],
  [{ stripeStatus: 'canceled' }, 'The membership has ended.'],
  [{ endsAt: 3_000 }, 'It was renewed.'],
  [{ levelKey: 'resident' }, 'The level was changed.'],
  [{ renewalAmount: 9_000 }, 'The price was changed.'],
  [{ cancelAtPeriodEnd: true }, 'Its renewal was stopped.'],
  [{ stripeStatus: 'past_due', pastDueSince: 1_900 }, 'Its state at the card provider changed.'],
])('a membership with %j', (change, expected) => {
  const membership = change && { ...MEMBERSHIP, ...change }
  expect(changeSinceImport(membership, { accountId: 'a', membershipId: 'm', after: AFTER })).toBe(expected)
})
