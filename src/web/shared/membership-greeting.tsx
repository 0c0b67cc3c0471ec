import { useEffect, useState } from 'react'
import { getProfile } from '#contract/public/account.ts'
import { readNextRsvp, type MemberRsvp } from '#contract/public/rsvp.ts'
import { call } from '#web/api/call.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { currentToken } from '#web/session/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { StateBar } from '#web/ui/state-bar.tsx'
import type { Account } from './get-account.ts'
import { ManageBilling } from './manage-billing.tsx'
import { membershipGreeting, rsvpGreeting, type MembershipGreeting as Greeting } from './membership-greeting.rules.ts'

const DISMISSED_KEY = 'dismissedMembershipGreeting'
/** The home page and the menu share one call. */
const FRESH_MS = 30_000

let latest: { token: string; at: number; account: Promise<Account> } | null = null

/**
 * Greets a lapsed, past-due or soon-due member with the one right action, and one with an RSVP with its event; renders
 * nothing for others. A failed call is not reported.
 */
export function MembershipGreeting() {
  const [greeting, setGreeting] = useState<Greeting | null>(null)

  useEffect(() => {
    let isCurrent = true
    void findGreeting().then(
      (found) => isCurrent && setGreeting(found),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [])

  if (!greeting) return null
  const { tone, title, text, action, key } = greeting
  return (
    <StateBar tone={tone} label={action.to === 'event' ? 'Your RSVP' : 'Your membership'} title={title} text={text}>
      {action.to === 'plans' ? (
        <ButtonLink size="small" to={paths.becomeAMember()}>
          {action.label}
        </ButtonLink>
      ) : action.to === 'event' ? (
        <ButtonLink size="small" to={contentPaths.event(action.eventId)}>
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

/** About the membership, or else about the next RSVP; null after it was dismissed. */
async function findGreeting(): Promise<Greeting | null> {
  const account = await loadAccount()
  if (!account) return null
  const { profile, subscription } = account
  const greeting = membershipGreeting(subscription, profile.name.first, Date.now())
  if (greeting && !isDismissed(greeting)) return greeting
  const rsvp = await loadNextRsvp()
  const invited = rsvp && rsvpGreeting(rsvp, profile.name.first)
  return invited && !isDismissed(invited) ? invited : null
}

function isDismissed({ tone, key }: Greeting): boolean {
  return tone === 'inform' && localStore.get(DISMISSED_KEY) === key
}

async function loadNextRsvp(): Promise<MemberRsvp | null> {
  const token = currentToken()
  return token === null ? null : (await call(readNextRsvp, { bearer: token })).rsvp
}

function loadAccount(): Promise<Account> | undefined {
  const token = currentToken()
  if (token === null) return undefined
  if (latest?.token !== token || Date.now() - latest.at > FRESH_MS)
    latest = { token, at: Date.now(), account: call(getProfile, { bearer: token }) }
  return latest.account
}
