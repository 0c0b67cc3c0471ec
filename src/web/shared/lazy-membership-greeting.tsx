import { lazy, Suspense } from 'react'
import { useSession } from '#web/session/session.ts'

const Greeting = lazy(async () => ({ default: (await import('./membership-greeting.tsx')).MembershipGreeting }))

/** The greeting, loaded for members only: most visitors are not signed in. */
export function LazyMembershipGreeting() {
  const { status } = useSession()
  return status === 'member' ? (
    <Suspense>
      <Greeting />
    </Suspense>
  ) : null
}
