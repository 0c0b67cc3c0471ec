import type { Endpoint } from '#contract/endpoint.ts'
import {
  assignRole,
  beginSecondFactor,
  confirmSecondFactor,
  endRole,
  renewRecoveryCodes,
} from '#contract/console/console.ts'
import { requestMemberEmail, endMember } from '#contract/console/member-account.ts'
import { disableMember } from '#contract/console/member.ts'
import { mergeMembers } from '#contract/console/merge.ts'
import { reportDeath, setPersonState } from '#contract/console/people/person-state.ts'
import { applyRollOver } from '#contract/console/roll-over.ts'
import { changePassword, deleteAccount } from '#contract/public/account-changes.ts'
import { signOutDevice, signOutEverywhere } from '#contract/public/account-devices.ts'
import { changeEmail, confirmEmail } from '#contract/public/account-email.ts'
import { resetPassword } from '#contract/public/auth.ts'
import { enterDemo, listDemoEmails, readDemo } from '#contract/demo/demo.ts'
import {
  addPasskey,
  beginFirstPasskey,
  beginPasskey,
  confirmFirstPasskey,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
} from '#contract/public/passkeys.ts'
import {
  checkMailProvider,
  confirmSetupStep,
  openSite,
  saveBotCheckProvider,
  saveCardProvider,
  saveMailProvider,
  sendCardTest,
} from '#contract/setup/site-setup.ts'

const HOUR_MS = 3_600_000

const namesOf = (some: readonly Pick<Endpoint, 'name'>[]) => new Set(some.map(({ name }) => name))

/** Endpoints that only a demo has. */
const ONLY_IN_DEMO = namesOf([readDemo, enterDemo, listDemoEmails])

/**
 * What one visitor of a demo must not do to the others: passwords, addresses and second factors of the people whom everyone logs in as, ending their sessions,
 * who is an officer, and providers.
 */
const KEPT = namesOf(
  [
    [changePassword, resetPassword, deleteAccount, changeEmail, confirmEmail, signOutDevice, signOutEverywhere],
    [beginSecondFactor, confirmSecondFactor, renewRecoveryCodes, removeAuthenticator],
    [beginFirstPasskey, confirmFirstPasskey, beginPasskey, addPasskey, renamePasskey, removePasskey],
    [assignRole, endRole, applyRollOver],
    [saveMailProvider, checkMailProvider, saveCardProvider, sendCardTest, saveBotCheckProvider],
    [confirmSetupStep, openSite],
  ].flat(),
)

/** What is kept only from the people of the demo: officers may do it to every other member. */
const KEPT_FROM_PEOPLE = namesOf([
  disableMember,
  endMember,
  mergeMembers,
  requestMemberEmail,
  setPersonState,
  reportDeath,
])

export type DemoAnswer = 'served' | 'missing' | 'kept'

/** What a demo, or a site that is none, does with a call; `people` are the ids of those whom anyone logs in as. */
export function answerInDemo(
  { name }: Pick<Endpoint, 'name'>,
  params: unknown,
  { isDemo, people }: { isDemo: boolean; people: ReadonlySet<string> },
): DemoAnswer {
  if (!isDemo) return ONLY_IN_DEMO.has(name) ? 'missing' : 'served'
  if (KEPT.has(name)) return 'kept'
  const isOnPerson = Object.values((params ?? {}) as Record<string, string>).some((value) => people.has(value))
  return isOnPerson && KEPT_FROM_PEOPLE.has(name) ? 'kept' : 'served'
}

/** The next full hour. */
export function nextReset(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
}
