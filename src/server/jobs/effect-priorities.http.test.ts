import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { EFFECT_KINDS, laneOf, PRIORITIES, priorityOf, type EffectKind } from './effect-priorities.ts'

const app = useTestApp()
/** Queued by alerts, and handled in `app.ts`. */
const OF_THE_APP = 'email.alert'

test('every kind of effect that can run has a priority, and every kind with a priority can run', () => {
  const { emails, effects } = app().app.features
  expect([...Object.keys(emails), ...Object.keys(effects), OF_THE_APP].sort()).toEqual([...EFFECT_KINDS].sort())
})

test.each<[EffectKind, keyof typeof PRIORITIES, Record<string, unknown>]>([
  ['email.password_reset', 'security', {}],
  ['auth.forgot_password', 'security', {}],
  ['email.receipt', 'personal', {}],
  ['email.rsvp', 'personal', { about: 'promoted' }],
  ['email.rsvp', 'reminder', { about: 'reminder' }],
  ['email.membership_reminder', 'reminder', {}],
  ['email.invitation', 'bulk', {}],
  ['members.import', 'bulk', {}],
  ['of.another.release' as EffectKind, 'personal', {}],
])('%s is %s with %j', (kind, priority, payload) => {
  expect(priorityOf(kind, payload)).toBe(PRIORITIES[priority])
})

test('emails have a lane of their own', () => {
  expect(laneOf('email.receipt')).toBe('emails')
  expect(laneOf('stripe.payment')).toBe('rest')
})
