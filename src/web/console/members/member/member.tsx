import { paths } from '#web/app/paths.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { MemberAccount } from './member-account.tsx'
import { MemberMerges, MergedBanner } from '../merge/merge-history.tsx'
import { MemberPayments } from './member-payments.tsx'
import { MemberProfile } from './member-profile.tsx'
import { MemberCredentials, MemberHistory, MemberEmails } from './member-records.tsx'
import { MemberTerm } from './member-term.tsx'
import { ViewAsButton } from './view-as-button.tsx'
import { useMember } from './use-member.ts'
import { Link } from '#web/ui/link.tsx'

/** Everything about one member. */
export default function MemberPage({ id }: { id: string }) {
  const editor = useMember(id)
  const { value } = editor.loaded
  return (
    <ConsolePage
      title={value ? `${value.name.first} ${value.name.last}` : 'Member'}
      lead={<Link to="/console/members">All members</Link>}
      action={value?.mayViewAs && <ViewAsButton member={value} accountPath={paths.account()} />}
    >
      <ActionMessages action={editor.action} />
      <WhenLoaded loaded={editor.loaded} what="this member">
        {(member) => (
          <div className="member-cards">
            <MergedBanner member={member} />
            <MemberTerm member={member} desk={editor} />
            <MemberProfile member={member} desk={editor} />
            <MemberAccount member={member} desk={editor} />
            <MemberPayments member={member} desk={editor} />
            <MemberCredentials member={member} />
            <MemberEmails member={member} desk={editor} />
            <MemberMerges member={member} desk={editor} />
            <MemberHistory history={member.history} accountId={id} />
          </div>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
