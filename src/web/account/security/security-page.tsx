import { useViewer } from '#web/session/viewer.ts'
import type { AccountPageProps } from '../account-frame.tsx'
import { OnlyForMember } from '../only-for-member.tsx'
import { DevicesCard } from './devices-card.tsx'
import { PasswordCard } from './password-card.tsx'

/** Password and sessions of the member. */
export default function SecurityPage({ account, explainFailure }: AccountPageProps) {
  if (useViewer().isMemberView)
    return <OnlyForMember title="Password and devices">changing the password, and the list of devices.</OnlyForMember>
  return (
    <div className="account-stack">
      <PasswordCard username={account.profile.username} explainFailure={explainFailure} />
      <DevicesCard explainFailure={explainFailure} />
    </div>
  )
}
