import { useState } from 'react'
import { Link } from '#web/ui/link.tsx'
import { getMember } from '#contract/console-member.ts'
import type { Duplicate } from '#contract/console-merge.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { DuplicateChooser } from '#web/features/members/duplicate-chooser.tsx'
import { MergePlanSheets } from '#web/features/members/merge-plan.tsx'

/** Finding the other account of the same person, and making the two one. */
export default function MemberMergePage({ id }: { id: string }) {
  const found = useLoaded(id, () => callAsOfficer(getMember, { params: { id } }))
  const [other, setOther] = useState<Duplicate | null>(null)
  const name = found.value && `${found.value.name.first} ${found.value.name.last}`
  return (
    <ConsolePage
      title="Merge two accounts"
      lead={<Link to={`/console/members/${id}`}>{name ? `Back to ${name}` : 'Back'}</Link>}
    >
      <WhenLoaded loaded={found} what="this person">
        {(member) => (
          <div className="member-sheets">
            <p>
              The account that stays is <strong>{`${member.name.first} ${member.name.last}`}</strong>, {member.email}.
              Everything of the other one moves to it. It can be undone for 30 days.
            </p>
            {other === null ? (
              <DuplicateChooser id={id} onChosen={setOther} />
            ) : (
              <MergePlanSheets key={other.id} id={id} otherId={other.id} onOther={() => setOther(null)} />
            )}
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
