import { lazy, Suspense, useEffect } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useAccount } from './use-account.ts'
import { useSession } from '#web/session/session.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, Spinner } from '#web/ui/loading.tsx'
import type { Route } from './+types/account'

// Loaded only for members, in parallel with the account's data.
const loadCards = () => import('./account-cards.tsx')
const AccountCards = lazy(async () => ({ default: (await loadCards()).AccountCards }))

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Account' })
}

export default function AccountPage() {
  const { association } = useFrameContents()
  const { state, load, ...actions } = useAccount()
  const { status } = useSession()

  useEffect(() => {
    // If loading fails, rendering the cards retries and reports it.
    if (status === 'member') loadCards().catch(() => {})
  }, [status])

  // Returning from the card provider: loading the account has already refreshed everything.
  useEffect(() => {
    const url = new URL(window.location.href)
    if (!url.searchParams.has('fromStripe')) return
    url.searchParams.delete('fromStripe')
    window.history.replaceState(window.history.state, '', url)
  }, [])

  // Until the viewer is known, and for visitors, show the layout of the final message, so that nothing moves when it
  // appears.
  if (state.step === 'loading' && status !== 'member') {
    return (
      <ResultPage spot="empty" title="Account">
        <NeedsScript email={association.email} />
        <Spinner text="Loading your account..." />
      </ResultPage>
    )
  }
  if (state.step === 'problem') {
    const login = `${paths.login()}?${new URLSearchParams({ next: paths.account() })}`
    return (
      <ResultPage
        spot="empty"
        title="Account"
        actions={
          state.action === 'log-in' ? (
            <ButtonLink to={login}>Log in</ButtonLink>
          ) : (
            <Button onClick={() => void load()}>Try again</Button>
          )
        }
      >
        <Banner tone="bad" role="alert">
          {state.message}
        </Banner>
        <SupportLine />
      </ResultPage>
    )
  }
  return (
    <div className="wrap desk section">
      <div className="head">
        <h1 tabIndex={-1} className="desk-title">
          Account
        </h1>
        {state.step === 'shown' && <p className="soft">Signed in as {state.account.profile.username}</p>}
      </div>
      {state.step === 'shown' ? (
        <Suspense fallback={<AccountSkeleton />}>
          <AccountCards account={state.account} {...actions} />
        </Suspense>
      ) : (
        <AccountSkeleton />
      )}
    </div>
  )
}

function AccountSkeleton() {
  return (
    <>
      <Spinner text="Loading your account..." />
      <Card>
        <Skeleton width="14rem" height="2rem" />
        <Skeleton height="5rem" />
      </Card>
      <Card>
        <Skeleton width="12rem" height="2rem" />
        <Skeleton height="8rem" />
      </Card>
    </>
  )
}
