import { useSearchParams } from 'react-router'
import { enableMember, type ConsoleMember } from '#contract/console/member.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Face } from '#web/console/ui/face.tsx'
import { PageTabs } from '#web/console/ui/page-tabs.tsx'
import { WithRail } from '#web/console/ui/panel.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { MemberMerges, MergedBanner } from '../merge/merge-history.tsx'
import { PersonStatePanel } from '../person-state/person-state-panel.tsx'
import { MemberAccount, MemberRequests } from './member-account.tsx'
import { emailRenewalLink, resetPassword } from './member-acts.ts'
import { MemberDialogs } from './member-dialogs.tsx'
import { MemberPayments } from './member-payments.tsx'
import { MemberProfile } from './member-profile.tsx'
import { MemberCardPanel } from '../card/card-panel.tsx'
import { MemberDirectoryPanel } from './directory-panel.tsx'
import { MemberRecord } from './record-panel.tsx'
import { MemberContact, MemberCredentials, MemberEmails } from './member-records.tsx'
import { memberRights } from './member-rights.rules.ts'
import { MemberStateBadge } from './member-state.tsx'
import { MemberTerm, RenewalDue } from './member-term.tsx'
import { MemberTimeline } from './timeline/member-timeline.tsx'
import { useMember, type MemberEditor } from './use-member.ts'

const TABS = ['overview', 'payments', 'emails', 'profile'] as const
type Tab = (typeof TABS)[number]

/** Everything about one member. */
export default function MemberPage({ id }: { id: string }) {
  const editor = useMember(id)
  const [params] = useSearchParams()
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'overview'
  const { value } = editor.loaded
  const name = value ? `${value.name.first} ${value.name.last}` : 'Member'
  return (
    <ConsolePage
      title={name}
      crumb={<Link to="/console/members">Members</Link>}
      mark={value && <Face name={name} size="large" />}
      status={value && <MemberStateBadge state={value.state} />}
      lead={value && leadOf(value)}
      action={value && <MemberActions member={value} desk={editor} />}
    >
      <ActionMessages action={editor.action} />
      <WhenLoaded loaded={editor.loaded} what="this member">
        {(member) => (
          <>
            <MemberTabs member={member} tab={tab} />
            <MergedBanner member={member} />
            <MemberRequests member={member} desk={editor} />
            {tab === 'overview' && (
              <WithRail
                rail={
                  <>
                    <MemberTerm member={member} desk={editor} />
                    <MemberCredentials member={member} />
                    <MemberContact member={member} desk={editor} />
                    <MemberRecord member={member} desk={editor} />
                    <MemberDirectoryPanel member={member} desk={editor} />
                    <MemberCardPanel member={member} desk={editor} />
                    <PersonStatePanel member={member} desk={editor} />
                  </>
                }
              >
                <RenewalDue member={member} desk={editor} />
                <MemberTimeline member={member} desk={editor} />
              </WithRail>
            )}
            {tab === 'payments' && <MemberPayments member={member} desk={editor} />}
            {tab === 'emails' && <MemberEmails member={member} desk={editor} />}
            {tab === 'profile' && (
              <div className="stack">
                <MemberProfile member={member} desk={editor} />
                <MemberAccount member={member} desk={editor} />
                <MemberMerges member={member} desk={editor} />
              </div>
            )}
            <MemberDialogs member={member} desk={editor} />
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function leadOf({ subscription, joinedAt, email }: ConsoleMember): string {
  const level = subscription?.membershipLevel.name
  return [level, `member since ${formatLongDate(joinedAt)}`, email].filter(Boolean).join(', ')
}

function MemberTabs({ member, tab }: { member: ConsoleMember; tab: Tab }) {
  const { id, payments } = member
  const at = (name: Tab) => ({
    to: `/console/members/${id}${name === 'overview' ? '' : `?tab=${name}`}`,
    isCurrent: tab === name,
  })
  return (
    <PageTabs
      label="Member"
      tabs={[
        { label: 'Overview', ...at('overview') },
        ...(payments ? [{ label: 'Payments', count: payments.length, ...at('payments') }] : []),
        { label: 'Emails', count: member.letters.length, ...at('emails') },
        { label: 'Profile and account', ...at('profile') },
      ]}
    />
  )
}

/** The form for payments of all kinds, filled in for this member's dues. */
function recordPaymentUrl({ email, name, subscription }: ConsoleMember): string {
  const level = subscription?.membershipLevel.key
  const given = new URLSearchParams({ email, name: `${name.first} ${name.last}`, ...(level && { level }) })
  return `/console/payments/new?${given}`
}

/** The next step, and the menu with everything else. */
function MemberActions({ member, desk }: { member: ConsoleMember; desk: MemberEditor }) {
  const { id, name, email } = member
  const rights = memberRights(member)
  const open = (label: string, dialog: Parameters<MemberEditor['openDialog']>[0]) =>
    rights[dialog] ? [{ label, onSelect: () => desk.openDialog(dialog) }] : []
  return (
    <div className="buttons">
      {rights.renewalLink && (
        <Button
          variant="line"
          busy={desk.action.busy === 'renewal-link'}
          busyLabel="Sending"
          onClick={() => void emailRenewalLink(member, desk)}
        >
          Send renewal link
        </Button>
      )}
      {rights.pay && <ButtonLink to={recordPaymentUrl(member)}>Record payment</ButtonLink>}
      <RowMenu
        name={`More actions for ${name.first} ${name.last}`}
        items={[
          { label: 'Write an email', onSelect: () => location.assign(`mailto:${email}`) },
          ...open('Edit profile', 'edit'),
          ...open('Change email address', 'email'),
          ...open('Grant complimentary term', 'term'),
          ...open('Stop renewal', 'stop'),
          ...(rights.reset ? [{ label: 'Send password reset', onSelect: () => void resetPassword(member, desk) }] : []),
          ...open('View site as member', 'view'),
          ...(rights.merge ? [{ label: 'Merge accounts', to: `/console/members/${id}/merge` }] : []),
          ...(rights.enable
            ? [
                {
                  label: 'Enable account',
                  onSelect: () =>
                    void desk.runAction(
                      'enable',
                      () => saveAsOfficer(enableMember, { params: { id }, body: {} }),
                      `${name.first} ${name.last} can log in again.`,
                    ),
                },
              ]
            : []),
          ...open('Disable account', 'disable'),
          ...open('End account', 'end'),
        ]}
      />
    </div>
  )
}
