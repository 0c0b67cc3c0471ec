import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useViewer } from '#web/session/viewer.ts'
import { Card } from '#web/ui/card.tsx'
import { DangerCard } from './danger-card.tsx'
import { DevicesCard } from './devices-card.tsx'
import { EmailCard } from './email-card.tsx'
import type { Account } from '#web/shared/get-account.ts'
import { MembershipCredentials } from './membership/membership-credentials.tsx'
import { MembershipPayments } from './membership/membership-payments.tsx'
import { MembershipCard } from './membership/membership-card.tsx'
import { PastDueBanner, MembershipActions } from './membership/membership-actions.tsx'
import { PasswordCard } from './password-card.tsx'
import { PersonalDataCard } from './personal-data-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { suggestedCredential } from './membership/suggested-credential.rules.ts'
import type { useAccount } from './use-account.ts'

interface AccountCardsProps extends Omit<ReturnType<typeof useAccount>, 'state' | 'load'> {
  account: Account
}

/** The cards of the account page. */
export function AccountCards({ account, refresh, isRefreshing, refreshProblem, ...doing }: AccountCardsProps) {
  const { showProfile, explainFailure } = doing
  const { profile, subscription } = account
  const navigate = useNavigate()
  const { isMemberView: isView } = useViewer()
  return (
    <>
      {subscription?.status === 'PAST_DUE' && <PastDueBanner subscription={subscription} />}
      <MembershipCard
        subscription={subscription}
        isRefreshing={isRefreshing}
        refreshProblem={refreshProblem}
        onRefresh={() => void refresh()}
      >
        <MembershipActions subscription={subscription} plansPath={paths.becomeAMember()} />
      </MembershipCard>
      <MembershipPayments version={account} />
      <ProfileCard profile={profile} onSaved={showProfile} explainFailure={explainFailure} />
      <MembershipCredentials
        suggested={suggestedCredential(subscription?.membershipLevel.key)}
        plansPath={paths.becomeAMember()}
      />
      {isView ? (
        <Card title="Only for the member">
          <p>Changing the email address or password, devices, downloading the data, and deleting the account.</p>
        </Card>
      ) : (
        <>
          <EmailCard email={profile.email} explainFailure={explainFailure} />
          <PasswordCard username={profile.username} explainFailure={explainFailure} />
          <DevicesCard explainFailure={explainFailure} />
          <PersonalDataCard explainFailure={explainFailure} />
          <DangerCard
            explainFailure={explainFailure}
            onDeleted={() => void navigate(paths.home(), { replace: true })}
          />
        </>
      )}
    </>
  )
}
