import { useNavigate } from 'react-router'
import { getMemberForm } from '#contract/console/member-account.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { AddMemberForm } from './add-member-form.tsx'
import { Link } from '#web/ui/link.tsx'

/** Adds one member; use an import for many. */
export default function NewMemberPage() {
  const form = useLoaded(getMemberForm)
  const navigate = useNavigate()
  return (
    <ConsolePage title="Add member" lead={<Link to="/console/members">All members</Link>}>
      <WhenLoaded loaded={form} what="the levels">
        {(found) => (
          <div className="card">
            <AddMemberForm found={found} onAdded={(id) => void navigate(`/console/members/${id}`)} />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
