import { describe, expect, test } from 'vitest'
import { describeAccountEnd, type AccountEndPreview } from './account-end.rules.ts'

const preview: AccountEndPreview = {
  name: 'Meera Rao',
  email: 'meera@example.com',
  membership: { levelName: 'Annual Member', until: 'March 2, 2027', card: 'renews' },
  roles: [],
  isSubscriber: true,
  events: [],
  mergedAccounts: [],
}
const describeEnding = (ending: 'request' | 'deceased', given: Partial<AccountEndPreview> = {}) =>
  describeAccountEnd(ending, { ...preview, ...given }).join(' ')
const held = (card: NonNullable<AccountEndPreview['membership']>['card'], until: string | null = 'March 2, 2027') => ({
  membership: { levelName: 'Annual Member', until, card },
})

describe('on request', () => {
  test.each([
    ['renews', 'The membership does not renew: our card provider stops the subscription, and nothing more is charged.'],
    ['owed', 'The renewal that is owed is no longer collected'],
    ['stops', 'The paid membership (Annual Member) ends on March 2, 2027.'],
    ['none', 'The paid membership (Annual Member) ends on March 2, 2027.'],
  ] as const)('a card that %s', (card, sentence) => {
    expect(describeEnding('request', held(card))).toContain(sentence)
  })

  test('an email confirms it, and a lifetime membership is named', () => {
    expect(describeEnding('request')).toContain('A confirmation email goes to meera@example.com.')
    expect(describeEnding('request', held('none', null))).toContain(
      'The lifetime membership (Annual Member) can no longer be used.',
    )
  })
})

describe('on death', () => {
  test('the card is never charged again, the membership ends and no email is sent', () => {
    const text = describeEnding('deceased')
    expect(text).toContain('canceled at our card provider at once, so the card is never charged again')
    expect(text).toContain('The membership (Annual Member) ends today.')
    expect(text).toContain('No email goes to meera@example.com, not even about this.')
    expect(describeEnding('deceased', held('none'))).not.toContain('card')
  })
})

test('roles, RSVPs and merged accounts are named', () => {
  const text = describeEnding('request', {
    roles: ['Treasurer', 'Editor'],
    events: ['Gala'],
    mergedAccounts: ['m@example.com'],
  })
  expect(text).toContain('The roles of Treasurer and Editor end at once.')
  expect(text).toContain('Meera Rao has an RSVP for Gala.')
  expect(text).toContain('The merged account of m@example.com ends with it.')
})
