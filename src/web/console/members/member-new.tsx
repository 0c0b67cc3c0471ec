import { useNavigate } from 'react-router'
import { getMemberForm } from '#contract/console-member-account.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { AddMemberForm } from '#web/features/members/add-member-form.tsx'
import { Link } from '#web/ui/link.tsx'

/** One member by hand; many come by an import. */
export default function NewMemberPage() {
  const form = useLoaded('member-form', () => callAsOfficer(getMemberForm))
  const navigate = useNavigate()
  return (
    <ConsolePage title="Add a member" lead={<Link to="/console/members">All members</Link>}>
      <WhenLoaded loaded={form} what="the levels">
        {(found) => (
          <div className="sheet">
            <AddMemberForm found={found} onAdded={(id) => void navigate(`/console/members/${id}`)} />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
