import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { EFFECT_KINDS, laneOf, PRIORITIES, priorityOf, type EffectKind } from './effect-priorities.ts'

const app = useTestApp()
/** Queued by the alarms themselves, and composed in `app.ts`. */
const OF_THE_APP = 'letter.alarm'

test('every kind of effect that can run has a priority, and every kind with a priority can run', () => {
  const { letters, effects } = app().app.features
  expect([...Object.keys(letters), ...Object.keys(effects), OF_THE_APP].sort()).toEqual([...EFFECT_KINDS].sort())
})

test.each<[EffectKind, keyof typeof PRIORITIES, Record<string, unknown>]>([
  ['letter.password_reset', 'security', {}],
  ['auth.forgot_password', 'security', {}],
  ['letter.receipt', 'personal', {}],
  ['letter.rsvp', 'personal', { about: 'promoted' }],
  ['letter.rsvp', 'reminder', { about: 'reminder' }],
  ['letter.membership_notice', 'reminder', {}],
  ['letter.invitation', 'bulk', {}],
  ['members.import', 'bulk', {}],
  ['of.another.release' as EffectKind, 'personal', {}],
])('%s is %s with %j', (kind, priority, payload) => {
  expect(priorityOf(kind, payload)).toBe(PRIORITIES[priority])
})

test('emails have a lane of their own', () => {
  expect(laneOf('letter.receipt')).toBe('letters')
  expect(laneOf('stripe.payment')).toBe('rest')
})
