import { useSearchParams } from 'react-router'
import { accountPath } from '#web/app/paths.ts'
import { Link } from '#web/ui/link.tsx'
import type { AccountPageProps } from '../account-frame.tsx'
import { Box } from '../box.tsx'
import { DirectoryEntryView } from './directory-entry-view.tsx'
import { DirectorySearch } from './directory-search.tsx'
import { ReportMessage } from './report-message.tsx'

/** The directory: a search, one entry (`?member=`), or the report of a message (`?report=`). */
export default function DirectoryPage({ account, explainFailure }: AccountPageProps) {
  const [params] = useSearchParams()
  const report = params.get('report')
  const member = params.get('member')
  return (
    <div className="account-stack">
      {report ? (
        <ReportMessage id={report} explainFailure={explainFailure} />
      ) : account.subscription?.status !== 'ACTIVE' ? (
        <Box title="For active members">
          <p>The directory is for members with an active membership.</p>
          <p>
            <Link to={accountPath('membership')}>Membership and billing</Link>
          </p>
        </Box>
      ) : member ? (
        <DirectoryEntryView key={member} id={member} explainFailure={explainFailure} />
      ) : (
        <DirectorySearch />
      )}
    </div>
  )
}
