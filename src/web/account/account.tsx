import { lazy, Suspense, useEffect, type ComponentType } from 'react'
import { Outlet, useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import styles from '#web/styles/account/account.css?url'
import { useAccount } from './use-account.ts'
import { useSession } from '#web/session/session.ts'
import { SupportLine } from '#web/shared/support-line.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import type { AccountPageProps } from './account-frame.tsx'
import { findSection, type SectionName } from './account-sections.ts'
import type { Route } from './+types/account'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

// Loaded only for members, in parallel with the account's data; each page only its own piece.
const loaders: Record<SectionName, () => Promise<{ default: ComponentType<AccountPageProps> }>> = {
  overview: () => import('./overview/overview-page.tsx'),
  membership: () => import('./membership/membership-page.tsx'),
  profile: () => import('./profile/profile-page.tsx'),
  emails: () => import('./emails/emails-page.tsx'),
  security: () => import('./security/security-page.tsx'),
  data: () => import('./your-data/your-data-page.tsx'),
  directory: () => import('./directory/directory-page.tsx'),
}
const loadFrame = () => import('./account-frame.tsx')

const pages = Object.fromEntries(
  Object.entries(loaders).map(([name, load]) => [name, lazy(load)]),
) as unknown as Record<SectionName, ComponentType<AccountPageProps>>
const AccountFrame = lazy(async () => ({ default: (await loadFrame()).AccountFrame }))

/** What the route of a section gets. */
export interface AccountOutlet extends AccountPageProps {
  Page: ComponentType<AccountPageProps>
}

/** The pages of the account: for members, or a message with the way to log in. */
export default function AccountPage() {
  const { association } = useFrameContents()
  const { state, load, ...actions } = useAccount()
  const { status } = useSession()
  const { pathname } = useLocation()
  const { name, title } = findSection(pathname)

  useEffect(() => {
    // If loading fails, rendering the page retries and reports it.
    if (status === 'member') Promise.all([loadFrame(), loaders[name]()]).catch(() => {})
  }, [status, name])

  // Returning from the card provider: loading the account has already refreshed everything.
  useEffect(() => {
    const url = new URL(window.location.href)
    if (!url.searchParams.has('fromStripe')) return
    url.searchParams.delete('fromStripe')
    window.history.replaceState(window.history.state, '', url)
  }, [])

  // Until the viewer is known, and for visitors, show the layout of the final message, so that nothing moves when it
  // appears.
  if (state.step === 'loading') {
    return status === 'member' ? (
      <AccountLoading />
    ) : (
      <ResultPage spot="empty" title={title}>
        <NeedsScript email={association.email} />
        <Spinner text="Loading your account..." />
      </ResultPage>
    )
  }
  if (state.step === 'problem') {
    const login = `${paths.login()}?${new URLSearchParams({ next: pathname })}`
    return (
      <ResultPage
        spot="empty"
        title={title}
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
  const shared = { account: state.account, ...actions }
  return (
    <Suspense fallback={<AccountLoading />}>
      <AccountFrame {...shared} section={name}>
        {(home) => <Outlet context={{ ...shared, home, Page: pages[name] } satisfies AccountOutlet} />}
      </AccountFrame>
    </Suspense>
  )
}

function AccountLoading() {
  return (
    <div className="wrap section">
      <h1 tabIndex={-1} className="desk-title">
        Account
      </h1>
      <Spinner text="Loading your account..." />
    </div>
  )
}
