import { describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS, type AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { auditChanges, auditText } from './audit-text.rules.ts'

const ZONE = 'America/New_York'

describe('the sentence of an entry', () => {
  test.each([
    ['payment.recorded', false, 'recorded a payment by ', ''],
    ['profile.changed', true, 'changed the profile', ''],
    ['message.called-spam', false, 'marked the message from ', ' as spam'],
    ['members.exported', true, 'exported the list of members', ''],
  ] as const)('%s, by the person themselves: %s', (action, isOwn, before, after) => {
    expect(auditText(action, isOwn)).toMatchObject({ before, after })
  })

  test('of an action that only older releases wrote shows its code', () => {
    expect(auditText('levels.sorted', false)).toEqual({
      before: 'did “levels.sorted” to ',
      after: '',
      namesSubject: true,
    })
  })

  test.each(Object.keys(AUDIT_ACTIONS) as AuditAction[])(
    '%s begins with a verb and ends without a period',
    (action) => {
      const { text, subject } = AUDIT_ACTIONS[action]
      expect(text).toMatch(/^[a-z]+ .*[^.]$/)
      expect(text.includes('{subject}')).toBe(subject !== 'none')
    },
  )
})

describe('what changed', () => {
  test.each([
    ['nothing', {}, []],
    [
      'a changed field beside one that stayed',
      { before: { firstName: 'Asha', lastName: 'Rao' }, after: { firstName: 'Asha', lastName: 'Iyer' } },
      [{ label: 'Last name', before: 'Rao', after: 'Iyer' }],
    ],
    [
      'a role that was given',
      { before: null, after: { role: 'editor', startsOn: '2026-07-01' } },
      [
        { label: 'Role', before: null, after: 'Editor' },
        { label: 'First day', before: null, after: 'July 1, 2026' },
      ],
    ],
    [
      'an amount and a reason',
      { reason: 'Paid twice', amount: 10_000 },
      [
        { label: 'Reason', before: null, after: 'Paid twice' },
        { label: 'Amount', before: null, after: '$100' },
      ],
    ],
    [
      'a moment in milliseconds and one in ISO form',
      { from: { endsAt: Date.UTC(2026, 0, 2, 17) }, to: { endsAt: '2027-01-02T17:00:00.000Z' } },
      [{ label: 'Ends', before: 'January 2, 2026', after: 'January 2, 2027' }],
    ],
    [
      'the number of a check beside the day it was received',
      {
        before: { paid: 'Check 1042', paidAt: Date.UTC(2026, 0, 2, 17) },
        after: { paid: 'Check 1043', paidAt: Date.UTC(2026, 0, 2, 17) },
      },
      [{ label: 'Paid by', before: 'Check 1042', after: 'Check 1043' }],
    ],
    [
      'a single value',
      { before: 'subscribed', after: 'left' },
      [{ label: 'Value', before: 'subscribed', after: 'left' }],
    ],
    [
      'a value inside another',
      { before: null, after: { hours: { opens: '9:00', is24h: false } } },
      [
        { label: 'Hours, opens', before: null, after: '9:00' },
        { label: 'Hours, is24h', before: null, after: 'No' },
      ],
    ],
    [
      'the former end of a renewed term',
      {
        level: 'annual_member',
        before: Date.parse('2026-01-02T17:00:00Z'),
        endsAt: Date.parse('2027-01-02T17:00:00Z'),
      },
      [
        { label: 'Ends', before: 'January 2, 2026', after: 'January 2, 2027' },
        { label: 'Level', before: null, after: 'Annual member' },
      ],
    ],
    [
      'the former level',
      { level: 'life_member', before: 'annual_member' },
      [{ label: 'Level', before: 'Annual member', after: 'Life member' }],
    ],
    ['ids, which say nothing to a reader', { batch: '01m7v20c9k', credential: '01m7v20c9l' }, []],
  ])('%s', (_case, details, changes) => {
    expect(auditChanges(details, ZONE)).toEqual(changes)
  })
})
