import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useViewer } from '#web/session/viewer.ts'
import type { AccountPageProps } from '../account-frame.tsx'
import { OnlyForMember } from '../only-for-member.tsx'
import { AccountViews } from './account-views.tsx'
import { DangerCard } from './danger-card.tsx'
import { PersonalDataCard } from './personal-data-card.tsx'

/** What is stored about the member, who saw it, and the deletion of the account. */
export default function DataPage({ explainFailure }: AccountPageProps) {
  const navigate = useNavigate()
  if (useViewer().isMemberView)
    return <OnlyForMember title="Your data">downloading the data, and deleting the account.</OnlyForMember>
  return (
    <div className="account-stack">
      <PersonalDataCard explainFailure={explainFailure} />
      <AccountViews />
      <DangerCard explainFailure={explainFailure} onDeleted={() => void navigate(paths.home(), { replace: true })} />
    </div>
  )
}
