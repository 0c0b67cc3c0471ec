import { memberEmailBody, saveMemberEmail, type MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { CAMPAIGN_PARTS, type CampaignContent, type CampaignForm } from '../campaigns/use-campaign-draft.ts'
import { saveAsOfficer } from '../shell/save-as-officer.ts'

export type MemberEmailContent = CampaignContent &
  Pick<MemberEmailDetail, 'topic' | 'audience' | 'meetingOn' | 'meetingKind' | 'windowReason'>

export const memberEmailForm: CampaignForm<MemberEmailDetail, MemberEmailContent> = {
  name: 'member-email',
  contentOf: ({ name, subject, snippet, blocks, topic, audience, meetingOn, meetingKind, windowReason }) => ({
    name,
    subject,
    snippet,
    blocks: blocks ?? [],
    topic,
    audience,
    meetingOn,
    meetingKind,
    windowReason,
  }),
  parts: {
    ...CAMPAIGN_PARTS,
    topic: 'Kind of email',
    audience: 'Send to',
    meetingOn: 'Day of the meeting',
    meetingKind: 'Kind of meeting',
    windowReason: 'Reason for another day',
  },
  body: memberEmailBody,
  save: (id, body) => saveAsOfficer(saveMemberEmail, { params: { id }, body }),
}
