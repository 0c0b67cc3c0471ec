import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { DangerSheet } from '#web/features/account/danger-sheet.tsx'
import { PersonalDataSheet } from '#web/features/account/personal-data-sheet.tsx'
import { DevicesSheet } from '#web/features/account/devices-sheet.tsx'
import { EmailSheet } from '#web/features/account/email-sheet.tsx'
import { MembershipCredentials } from '#web/features/account/membership-credentials.tsx'
import { MembershipPayments } from '#web/features/account/membership-payments.tsx'
import { MembershipSheet } from '#web/features/account/membership-sheet.tsx'
import { PastDue, WaysOn } from '#web/features/account/membership-ways-on.tsx'
import { suggestedCredential } from '#web/features/account/suggested-credential.rules.ts'
import { PasswordSheet } from '#web/features/account/password-sheet.tsx'
import { ProfileSheet } from '#web/features/account/profile-sheet.tsx'
import type { Account } from '#web/features/account/get-account.ts'
import { useAccount } from '#web/features/account/use-account.ts'
import { useViewer } from '#web/features/auth/viewer.ts'
import { SupportLine } from '#web/features/association/support-line.tsx'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Skeleton, Spinner } from '#web/ui/waiting.tsx'
import type { Route } from './+types/account'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Account' })
}

export default function AccountPage() {
  const { association } = useFrameContents()
  const { state, load, ...doing } = useAccount()

  // Back from the card provider's pages: loading the account has brought everything up to date.
  useEffect(() => {
    const url = new URL(window.location.href)
    if (!url.searchParams.has('fromStripe')) return
    url.searchParams.delete('fromStripe')
    window.history.replaceState(window.history.state, '', url)
  }, [])

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
      <NeedsScript email={association.email} />
      {state.step === 'shown' ? (
        <AccountSheets account={state.account} {...doing} />
      ) : (
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
      )}
    </div>
  )
}

interface AccountSheetsProps extends Omit<ReturnType<typeof useAccount>, 'state' | 'load'> {
  account: Account
}

function AccountSheets({ account, refresh, isRefreshing, refreshProblem, ...doing }: AccountSheetsProps) {
  const { showProfile, explainFailure } = doing
  const { profile, subscription } = account
  const navigate = useNavigate()
  const { isView } = useViewer()
  return (
    <>
      {subscription?.status === 'PAST_DUE' && <PastDue subscription={subscription} />}
      <ProfileSheet profile={profile} onSaved={showProfile} explainFailure={explainFailure} />
      <MembershipSheet
        subscription={subscription}
        isRefreshing={isRefreshing}
        refreshProblem={refreshProblem}
        onRefresh={() => void refresh()}
      >
        <WaysOn subscription={subscription} plansPath={paths.becomeAMember()} />
      </MembershipSheet>
      <MembershipPayments version={account} />
      <MembershipCredentials
        suggested={suggestedCredential(subscription?.membershipLevel.key)}
        plansPath={paths.becomeAMember()}
      />
      {isView ? (
        <Sheet title="Only for the member">
          <p>Change of email and password, devices, the download of the data and the end of the account.</p>
        </Sheet>
      ) : (
        <>
          <EmailSheet email={profile.email} explainFailure={explainFailure} />
          <PasswordSheet username={profile.username} explainFailure={explainFailure} />
          <DevicesSheet explainFailure={explainFailure} />
          <PersonalDataSheet explainFailure={explainFailure} />
          <DangerSheet
            explainFailure={explainFailure}
            onDeleted={() => void navigate(paths.home(), { replace: true })}
          />
        </>
      )}
    </>
  )
}
