import { expect, test } from 'vitest'
import { expandUsage } from './help.ts'

test.each([
  ['migrate', 'migrate', ['migrate']],
  ['outbox', 'outbox [retry [ID]]', ['outbox', 'outbox retry [ID]']],
  ['stripe', 'stripe sync | stripe replay [ID]', ['stripe sync', 'stripe replay [ID]']],
  ['members', 'members list [STATUS] | show NAME', ['members list [STATUS]', 'members show NAME']],
  ['sponsors', 'sponsors [list | done ID a|b]', ['sponsors', 'sponsors list', 'sponsors done ID a|b']],
  ['x', 'x [a] | y [b]', ['x [a]', 'x y [b]']],
])('the forms of %s are listed one per line: %s', (name, usage, forms) => {
  expect(expandUsage(name, usage)).toEqual(forms)
})
