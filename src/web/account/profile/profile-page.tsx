import { useEffect } from 'react'
import { paths } from '#web/app/paths.ts'
import { useViewer } from '#web/session/viewer.ts'
import type { AccountPageProps } from '../account-frame.tsx'
import { DirectoryChoiceCard } from '../directory/directory-choice-card.tsx'
import { RecordCard } from '../record/record-card.tsx'
import { OnlyForMember } from '../only-for-member.tsx'
import { EmailCard } from './email-card.tsx'
import { MembershipCredentials } from './membership-credentials.tsx'
import { ProfileCard } from './profile-card.tsx'

/** Name, address, credentials and details of the member. `#email`, `#credentials` and `#details` lead to these parts. */
export default function ProfilePage({ account, showProfile, explainFailure, home }: AccountPageProps) {
  const { profile, subscription } = account
  const { isMemberView } = useViewer()

  useEffect(() => {
    const { hash } = window.location
    if (hash.length > 1) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [])

  return (
    <div className="account-stack">
      <ProfileCard profile={profile} onSaved={showProfile} explainFailure={explainFailure} />
      <div id="email">
        {isMemberView ? (
          <OnlyForMember title="Email Address">changing the email address.</OnlyForMember>
        ) : (
          <EmailCard
            email={profile.email}
            pendingEmail={home.value?.pendingEmail ?? null}
            explainFailure={explainFailure}
            onAsked={home.load}
          />
        )}
      </div>
      <MembershipCredentials
        levelKey={subscription?.membershipLevel.key}
        plansPath={paths.becomeAMember()}
        onSaved={home.load}
      />
      <div id="details">
        <RecordCard explainFailure={explainFailure} />
      </div>
      <div id="directory">
        <DirectoryChoiceCard explainFailure={explainFailure} />
      </div>
    </div>
  )
}
