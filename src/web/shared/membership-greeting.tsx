import { useEffect, useState } from 'react'
import { getProfile } from '#contract/public/account.ts'
import { call } from '#web/api/call.ts'
import { paths } from '#web/app/paths.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { currentToken } from '#web/session/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { StateBar } from '#web/ui/state-bar.tsx'
import type { Account } from './get-account.ts'
import { ManageBilling } from './manage-billing.tsx'
import { membershipGreeting, type MembershipGreeting as Greeting } from './membership-greeting.rules.ts'

const DISMISSED_KEY = 'dismissedMembershipGreeting'
/** The home page and the menu share one call. */
const FRESH_MS = 30_000

let latest: { token: string; at: number; account: Promise<Account> } | null = null

/**
 * Greets a lapsed, past-due or soon-due member with the one right action; renders nothing for others. A failed call is
 * not reported.
 */
export function MembershipGreeting() {
  const [greeting, setGreeting] = useState<Greeting | null>(null)

  useEffect(() => {
    let isCurrent = true
    loadAccount()?.then(
      ({ profile, subscription }) => {
        const found = membershipGreeting(subscription, profile.name.first, Date.now())
        const isDismissed = found?.tone === 'inform' && localStore.get(DISMISSED_KEY) === found.key
        if (isCurrent) setGreeting(isDismissed ? null : found)
      },
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [])

  if (!greeting) return null
  const { tone, title, text, action, key } = greeting
  return (
    <StateBar tone={tone} label="Your membership" title={title} text={text}>
      {action.to === 'plans' ? (
        <ButtonLink size="small" to={paths.becomeAMember()}>
          {action.label}
        </ButtonLink>
      ) : (
        <ManageBilling label={action.label} />
      )}
      {tone === 'inform' && (
        <Button
          variant="line"
          size="small"
          onClick={() => {
            localStore.set(DISMISSED_KEY, key)
            setGreeting(null)
          }}
        >
          Got it
        </Button>
      )}
    </StateBar>
  )
}

function loadAccount(): Promise<Account> | undefined {
  const token = currentToken()
  if (token === null) return undefined
  if (latest?.token !== token || Date.now() - latest.at > FRESH_MS)
    latest = { token, at: Date.now(), account: call(getProfile, { bearer: token }) }
  return latest.account
}
