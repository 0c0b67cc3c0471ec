import {
  controlMemberEmail,
  getMemberEmail,
  previewMemberEmail,
  sendMemberEmail,
  testMemberEmail,
  type MemberEmailDetail,
} from '#contract/console/emails/member-emails.ts'
import { formatDay } from '#contract/dates/days.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Link } from '#web/ui/link.tsx'
import { CampaignCheckList } from '../campaigns/campaign-check-list.tsx'
import { checkCampaign, ok, stop } from '../campaigns/campaign-checks.rules.ts'
import { CampaignEditor } from '../campaigns/campaign-editor.tsx'
import { CampaignPreview } from '../campaigns/campaign-preview.tsx'
import { CampaignSending } from '../campaigns/campaign-sending.tsx'
import { CAMPAIGN_STATE_BADGES } from '../campaigns/campaign-states.ts'
import { CampaignTestButton } from '../campaigns/campaign-test-button.tsx'
import { useCampaignDraft } from '../campaigns/use-campaign-draft.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { MemberEmailFields } from './member-email-fields.tsx'
import { memberEmailForm } from './member-email-form.ts'
import { PostPile } from './post-pile.tsx'
import { ProofPanel } from './proof-panel.tsx'
import { ReachPanel } from './reach-panel.tsx'

const POLL_MS = 3_000

/** One email to members: editor and preview side by side, reach, sending, results, post and proof. */
export default function MemberEmailPage({ id }: { id: string }) {
  const found = useLoaded(getMemberEmail, { params: { id } }, ({ state }) => state === 'sending' && POLL_MS)
  const { value } = found
  const [tone, label] = CAMPAIGN_STATE_BADGES[value?.state ?? 'draft']
  return (
    <ConsolePage
      title={value?.name ?? 'Email to members'}
      lead={
        <>
          <Link to="/console/member-emails">Emails to members</Link>{' '}
          {value && (
            <>
              <Badge tone={tone}>{label}</Badge> {value.topicName}
            </>
          )}
        </>
      }
      action={value && <CampaignTestButton endpoint={testMemberEmail} id={id} />}
    >
      <WhenLoaded loaded={found} what="the email">
        {(email) => <Parts email={email} found={found} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Parts({ email, found }: { email: MemberEmailDetail; found: Loaded<MemberEmailDetail> }) {
  const { state, id, version, choices, topic, reach, window, meetingOn } = email
  const draft = useCampaignDraft(email, memberEmailForm, found.setValue)
  const isDraft = state === 'draft'
  const reached = reach.email + reach.post
  const people = reached === 1 ? '1 member' : `${reached.toLocaleString('en-US')} members`
  const reaches = reached === 0 ? stop('It reaches no one') : ok(`Reaches ${people}`)
  const checks = checkCampaign(draft.content, email, reaches)
  const isNotice = topic === 'notice'
  return (
    <div className="editor-with-preview">
      <div className="stack">
        {isDraft && <MemberEmailFields email={email} draft={draft} />}
        {isDraft && (
          <CampaignEditor choices={choices} draft={draft} nameHint="The email’s heading." reload={found.reload} />
        )}
        <ReachPanel email={email} />
        {!isDraft && window && meetingOn !== null && (
          <p className="card">
            Notice of the meeting on {formatDay(meetingOn)}, to be sent from {formatDay(window.opensOn)} to{' '}
            {formatDay(window.closesOn)}.
          </p>
        )}
        {isDraft && <CampaignCheckList checks={checks} />}
        {isDraft && isNotice && !email.mayNotify ? (
          <p className="card">Your role does not allow sending notices.</p>
        ) : (
          <CampaignSending
            campaign={email}
            isUnsaved={draft.isChanged}
            isIncomplete={checks.some(({ level }) => level === 'stop')}
            texts={{
              audience: people,
              intro: `It goes to ${people}${reach.post > 0 ? `, ${reach.post.toLocaleString('en-US')} of them by post` : ''}. ${
                isNotice ? 'A notice has no unsubscribe link.' : 'Each email has an unsubscribe link of its own.'
              }`,
              scheduledFor: 'to those who are on the list at that time',
              warning: 'This sends now and cannot be undone. No one gets it twice.',
              unsubscribed: null,
            }}
            send={(body) => callAsOfficer(sendMemberEmail, { params: { id }, body })}
            control={(wish) => callAsOfficer(controlMemberEmail, { params: { id }, body: { wish } })}
            onChanged={found.setValue}
          />
        )}
        <PostPile email={email} onChanged={found.setValue} />
        <ProofPanel email={email} onChanged={found.setValue} />
      </div>
      <CampaignPreview endpoint={previewMemberEmail} id={id} version={version} />
    </div>
  )
}
