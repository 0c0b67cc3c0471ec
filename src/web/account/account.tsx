import { lazy, Suspense, useEffect } from 'react'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useAccount } from '#web/features/account/use-account.ts'
import { useSession } from '#web/features/auth/session.ts'
import { SupportLine } from '#web/features/association/support-line.tsx'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Skeleton, Spinner } from '#web/ui/waiting.tsx'
import type { Route } from './+types/account'

// Whoever is not logged in sees none of it: it comes beside the account, not before it is asked for.
const loadSheets = () => import('#web/features/account/account-sheets.tsx')
const AccountSheets = lazy(async () => ({ default: (await loadSheets()).AccountSheets }))

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Account' })
}

export default function AccountPage() {
  const { association } = useFrameContents()
  const { state, load, ...doing } = useAccount()
  const { status } = useSession()

  useEffect(() => {
    // A piece that cannot be had is asked for again, and its failure told, where it is shown.
    if (status === 'member') loadSheets().catch(() => {})
  }, [status])

  // Back from the card provider's pages: loading the account has brought everything up to date.
  useEffect(() => {
    const url = new URL(window.location.href)
    if (!url.searchParams.has('fromStripe')) return
    url.searchParams.delete('fromStripe')
    window.history.replaceState(window.history.state, '', url)
  }, [])

  // Before it is known who looks, and for strangers, the page is the answer they get, so that nothing moves when it comes.
  if (state.step === 'loading' && status !== 'member') {
    return (
      <AnswerPage spot="empty" title="Account">
        <NeedsScript email={association.email} />
        <Spinner text="Loading your account..." />
      </AnswerPage>
    )
  }
  if (state.step === 'problem') {
    const login = `${paths.login()}?${new URLSearchParams({ next: paths.account() })}`
    return (
      <AnswerPage
        spot="empty"
        title="Account"
        actions={
          state.way === 'log-in' ? (
            <ButtonLink to={login}>Log in</ButtonLink>
          ) : (
            <Button onClick={() => void load()}>Try again</Button>
          )
        }
      >
        <Banner tone="bad" role="alert">
          {state.sentence}
        </Banner>
        <SupportLine />
      </AnswerPage>
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
          <AccountSheets account={state.account} {...doing} />
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
      <Sheet>
        <Skeleton width="14rem" height="2rem" />
        <Skeleton height="5rem" />
      </Sheet>
      <Sheet>
        <Skeleton width="12rem" height="2rem" />
        <Skeleton height="8rem" />
      </Sheet>
    </>
  )
}
