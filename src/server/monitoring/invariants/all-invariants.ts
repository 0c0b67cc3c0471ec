import { contentInvariants } from './content.ts'
import { eventInvariants } from './events.ts'
import type { Invariant } from './invariant.ts'
import { membershipInvariants } from './membership-states.ts'
import { moneyInvariants } from './money.ts'
import { newsletterInvariants } from './newsletter.ts'
import { peopleInvariants } from './people.ts'
import { workInvariants } from './work.ts'

/** Everything that `npm run admin -- check` verifies besides the engine's own checks. */
export const invariants: readonly Invariant[] = [
  ...peopleInvariants,
  ...membershipInvariants,
  ...moneyInvariants,
  ...eventInvariants,
  ...newsletterInvariants,
  ...contentInvariants,
  ...workInvariants,
]
