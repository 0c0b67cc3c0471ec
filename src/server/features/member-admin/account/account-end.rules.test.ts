import { describe, expect, test } from 'vitest'
import { endingSentences, type EndingFacts } from './ending.rules.ts'

const facts: EndingFacts = {
  name: 'Meera Rao',
  email: 'meera@example.com',
  membership: { levelName: 'Annual Member', until: 'March 2, 2027', card: 'renews' },
  roles: [],
  isReader: true,
  events: [],
  mergedAccounts: [],
}
const say = (ending: 'request' | 'deceased', given: Partial<EndingFacts> = {}) =>
  endingSentences(ending, { ...facts, ...given }).join(' ')
const held = (card: NonNullable<EndingFacts['membership']>['card'], until: string | null = 'March 2, 2027') => ({
  membership: { levelName: 'Annual Member', until, card },
})

describe('on request', () => {
  test.each([
    ['renews', 'The membership does not renew: our card provider stops the subscription, and nothing more is charged.'],
    ['owed', 'The renewal that is owed is no longer collected'],
    ['stops', 'The paid membership (Annual Member) ends on March 2, 2027.'],
    ['none', 'The paid membership (Annual Member) ends on March 2, 2027.'],
  ] as const)('a card that %s', (card, sentence) => {
    expect(say('request', held(card))).toContain(sentence)
  })

  test('an email confirms it, and a lifetime membership is named', () => {
    expect(say('request')).toContain('A confirmation email goes to meera@example.com.')
    expect(say('request', held('none', null))).toContain(
      'The lifetime membership (Annual Member) can no longer be used.',
    )
  })
})

describe('on death', () => {
  test('the card is never charged again, the membership ends and nobody is written to', () => {
    const said = say('deceased')
    expect(said).toContain('canceled at our card provider at once, so the card is never charged again')
    expect(said).toContain('The membership (Annual Member) ends today.')
    expect(said).toContain('No email goes to meera@example.com, not even about this.')
    expect(say('deceased', held('none'))).not.toContain('card')
  })
})

test('roles, RSVPs and merged accounts are named', () => {
  const said = say('request', { roles: ['Treasurer', 'Editor'], events: ['Gala'], mergedAccounts: ['m@example.com'] })
  expect(said).toContain('The roles of Treasurer and Editor end at once.')
  expect(said).toContain('Meera Rao has an RSVP for Gala.')
  expect(said).toContain('The merged account of m@example.com ends with it.')
})
