import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import { getMember } from '#contract/console/member.ts'
import type { Duplicate } from '#contract/console/merge.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { DuplicateChooser } from './duplicate-chooser.tsx'
import { MergePlanCards } from './merge-plan.tsx'

/** Finds another account of the same person and merges the two. */
export default function MemberMergePage({ id }: { id: string }) {
  const found = useLoaded(getMember, { params: { id } })
  const [other, setOther] = useState<Duplicate | null>(null)
  const name = found.value && `${found.value.name.first} ${found.value.name.last}`
  return (
    <ConsolePage
      title="Merge accounts"
      crumb={
        <>
          <Link to="/console/members">Members</Link>
          <Link to={`/console/members/${id}`}>{name || 'Member'}</Link>
        </>
      }
    >
      <WhenLoaded loaded={found} what="this member">
        {(member) => (
          <div className="member-cards">
            <p>
              This account stays: <strong>{`${member.name.first} ${member.name.last}`}</strong>, {member.email}.
              Everything in the other account moves to it. You can undo this for 30 days.
            </p>
            {other === null ? (
              <DuplicateChooser id={id} onChosen={setOther} />
            ) : (
              <MergePlanCards key={other.id} id={id} otherId={other.id} onOther={() => setOther(null)} />
            )}
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
