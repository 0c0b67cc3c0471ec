import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useViewer } from '#web/features/auth/viewer.ts'
import { Sheet } from '#web/ui/sheet.tsx'
import { DangerSheet } from './danger-sheet.tsx'
import { DevicesSheet } from './devices-sheet.tsx'
import { EmailSheet } from './email-sheet.tsx'
import type { Account } from './get-account.ts'
import { MembershipCredentials } from './membership-credentials.tsx'
import { MembershipPayments } from './membership-payments.tsx'
import { MembershipSheet } from './membership-sheet.tsx'
import { PastDue, WaysOn } from './membership-ways-on.tsx'
import { PasswordSheet } from './password-sheet.tsx'
import { PersonalDataSheet } from './personal-data-sheet.tsx'
import { ProfileSheet } from './profile-sheet.tsx'
import { suggestedCredential } from './suggested-credential.rules.ts'
import type { useAccount } from './use-account.ts'

interface AccountSheetsProps extends Omit<ReturnType<typeof useAccount>, 'state' | 'load'> {
  account: Account
}

/** Everything a member looks at and does about the account, sheet by sheet. */
export function AccountSheets({ account, refresh, isRefreshing, refreshProblem, ...doing }: AccountSheetsProps) {
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
