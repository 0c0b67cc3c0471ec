import {
  listMemberEmailTopics,
  MEETING_KINDS,
  NOTICE,
  type MeetingKind,
  type MemberEmailDetail,
} from '#contract/console/emails/member-emails.ts'
import { formatDay } from '#contract/dates/days.ts'
import { Field } from '#web/ui/field.tsx'
import type { CampaignDraft } from '../campaigns/use-campaign-draft.ts'
import { SelectField } from '../forms/select-field.tsx'
import { useCurrentOfficer } from '../shell/current-officer.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Panel } from '../ui/panel.tsx'
import { AudienceChoice } from './audience-choice.tsx'
import type { MemberEmailContent } from './member-email-form.ts'

const KIND_NAMES: Record<MeetingKind, string> = { annual: 'Annual meeting', special: 'Special meeting' }

/** The kind of email, its list, and the meeting that a notice is about. */
export function MemberEmailFields({
  email,
  draft,
}: {
  email: MemberEmailDetail
  draft: CampaignDraft<MemberEmailContent>
}) {
  const officer = useCurrentOfficer()
  const { content, errors, change } = draft
  const offered = useLoaded(listMemberEmailTopics).value?.topics ?? []
  // Also one that was retired, or that this officer may not send.
  const isOffered = offered.some(({ key }) => key === email.topic)
  const topics = isOffered ? offered : [...offered, { key: email.topic, name: email.topicName }]
  return (
    <Panel title="Kind and list">
      <div className="pair">
        <SelectField
          label="Kind of email"
          name="topic"
          value={content.topic}
          error={errors['topic']}
          hint={
            content.topic === NOTICE
              ? 'Reaches everyone on the list; no one can switch it off.'
              : 'Reaches those on the list who want it. Each has an unsubscribe link.'
          }
          options={topics.map(({ key, name }) => [key, name] as const)}
          onChange={({ currentTarget }) => change({ ...content, topic: currentTarget.value })}
        />
        <AudienceChoice
          audience={content.audience}
          text={email.audienceText}
          maySeeMembers={officer?.permissions.includes('members.look') ?? false}
          error={errors['audience']}
          onChange={(audience) => change({ ...content, audience })}
        />
      </div>
      {content.topic === NOTICE && (
        <>
          <div className="pair">
            <Field
              label="Day of the meeting (optional)"
              name="meetingOn"
              type="date"
              value={content.meetingOn ?? ''}
              hint="For the notice of a meeting: counts back to the days on which it may be sent."
              onChange={({ currentTarget }) => change({ ...content, meetingOn: currentTarget.value || null })}
              {...(errors['meetingOn'] !== undefined && { error: errors['meetingOn'] })}
            />
            {content.meetingOn !== null && (
              <SelectField
                label="Kind of meeting"
                name="meetingKind"
                value={content.meetingKind}
                error={errors['meetingKind']}
                options={MEETING_KINDS.map((kind) => [kind, KIND_NAMES[kind]] as const)}
                onChange={({ currentTarget }) =>
                  change({ ...content, meetingKind: currentTarget.value as MeetingKind })
                }
              />
            )}
          </div>
          {email.window && content.meetingOn === email.window.meetingOn && (
            <>
              <p>
                Send this notice from <strong>{formatDay(email.window.opensOn)}</strong> to{' '}
                <strong>{formatDay(email.window.closesOn)}</strong>: at least {email.window.minDays} and at most{' '}
                {email.window.maxDays} days before the meeting.
              </p>
              <Field
                label="Reason for another day (optional)"
                name="windowReason"
                autoComplete="off"
                value={content.windowReason ?? ''}
                hint="Only if it cannot be sent in this time. The proof of sending repeats it."
                onChange={({ currentTarget }) => change({ ...content, windowReason: currentTarget.value || null })}
                {...(errors['windowReason'] !== undefined && { error: errors['windowReason'] })}
              />
            </>
          )}
        </>
      )}
    </Panel>
  )
}
