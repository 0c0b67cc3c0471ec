import { paths } from '#web/app/paths.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { MemberAccount } from '#web/features/members/member-account.tsx'
import { MemberMerges, MergedBanner } from '#web/features/members/member-merges.tsx'
import { MemberMoney } from '#web/features/members/member-money.tsx'
import { MemberProfile } from '#web/features/members/member-profile.tsx'
import { MemberCredentials, MemberHistory, MemberLetters } from '#web/features/members/member-records.tsx'
import { MemberTerm } from '#web/features/members/member-term.tsx'
import { ViewAsButton } from '#web/features/members/view-as-button.tsx'
import { useMember } from '#web/features/members/use-member.ts'
import { Link } from '#web/ui/link.tsx'

/** One person with everything. */
export default function MemberPage({ id }: { id: string }) {
  const desk = useMember(id)
  const { value } = desk.loaded
  return (
    <ConsolePage
      title={value ? `${value.name.first} ${value.name.last}` : 'Member'}
      lead={<Link to="/console/members">All members</Link>}
      action={value?.mayViewAs && <ViewAsButton member={value} accountPath={paths.account()} />}
    >
      <ActionMessages action={desk.action} />
      <WhenLoaded loaded={desk.loaded} what="this person">
        {(member) => (
          <div className="member-sheets">
            <MergedBanner member={member} />
            <MemberTerm member={member} desk={desk} />
            <MemberProfile member={member} desk={desk} />
            <MemberAccount member={member} desk={desk} />
            <MemberMoney member={member} desk={desk} />
            <MemberCredentials member={member} />
            <MemberLetters member={member} desk={desk} />
            <MemberMerges member={member} desk={desk} />
            <MemberHistory history={member.history} accountId={id} />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
