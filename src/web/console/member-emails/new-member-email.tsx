import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  createMemberEmail,
  listMemberEmailTopics,
  type MemberAudience,
} from '#contract/console/emails/member-emails.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { useCurrentOfficer } from '../shell/current-officer.ts'
import { useLoaded } from '../shell/use-loaded.ts'
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
  const maySeeMembers = officer?.permissions.includes('members.look') ?? false
  const [chosen, setChosen] = useState<MemberAudience>(audience ?? ACTIVE)
  const topics = useLoaded(listMemberEmailTopics).value?.topics ?? []
  const form = useDraftForm('new-member-email', {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ name, topic }) {
      const body = { name, topic: topic || (topics[0]?.key ?? ''), audience: chosen }
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
        options={topics.map(({ key, name }) => [key, name] as const)}
      />
      {!audience && <AudienceChoice audience={chosen} text="" maySeeMembers={maySeeMembers} onChange={setChosen} />}
      <Button type="submit" busy={form.isSubmitting} busyLabel="Creating">
        Create
      </Button>
    </form>
  )
}
