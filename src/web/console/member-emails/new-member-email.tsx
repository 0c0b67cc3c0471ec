import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  createMemberEmail,
  MEMBER_EMAIL_TOPICS,
  MEMBER_EMAIL_TOPIC_NAMES,
  type MemberAudience,
  type MemberEmailTopic,
} from '#contract/console/emails/member-emails.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { useCurrentOfficer } from '../shell/current-officer.ts'
import { AudienceChoice } from './audience-choice.tsx'

const FIELDS = { name: 'Title', topic: 'Kind of email' }
const ACTIVE: MemberAudience = { filter: { status: 'ACTIVE' } }

/** Begins an email to members. @param audience the selected members; omitted to choose a view here */
export function NewMemberEmail({
  open,
  audience,
  onClose,
}: {
  open: boolean
  audience?: MemberAudience
  onClose(): void
}) {
  return (
    <Dialog open={open} onClose={onClose} title="New email to members" width="30rem">
      <CreateForm {...(audience && { audience })} />
    </Dialog>
  )
}

function CreateForm({ audience }: { audience?: MemberAudience }) {
  const navigate = useNavigate()
  const officer = useCurrentOfficer()
  const may = (permission: 'members.notify' | 'members.look') => officer?.permissions.includes(permission) ?? false
  const [chosen, setChosen] = useState<MemberAudience>(audience ?? ACTIVE)
  const topics = MEMBER_EMAIL_TOPICS.filter((topic) => topic !== 'notice' || may('members.notify'))
  const form = useDraftForm('new-member-email', {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ name, topic }) {
      const body = { name, topic: (topic || topics[0]) as MemberEmailTopic, audience: chosen }
      const { id } = await callAsOfficer(createMemberEmail, { body })
      await navigate(`/console/member-emails/${id}`)
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('name')} autoComplete="off" hint="The email’s heading." />
      <SelectField
        {...form.field('topic')}
        hint="Notices reach everyone on the list and cannot be switched off. Members may switch off the others."
        options={topics.map((topic) => [topic, MEMBER_EMAIL_TOPIC_NAMES[topic]] as const)}
      />
      {!audience && (
        <AudienceChoice audience={chosen} text="" maySeeMembers={may('members.look')} onChange={setChosen} />
      )}
      <Button type="submit" busy={form.isSubmitting} busyLabel="Creating">
        Create
      </Button>
    </form>
  )
}
