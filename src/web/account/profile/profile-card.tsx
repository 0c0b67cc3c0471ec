import type { Profile } from '#contract/public/account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { EditableBox } from '../editable-box.tsx'
import { ProfileForm } from './profile-form.tsx'
import type { ExplainFailure } from '../use-account.ts'

interface ProfileCardProps {
  profile: Profile
  onSaved(profile: Profile): void
  explainFailure: ExplainFailure
}

/** Shows or edits the profile, with a temporary message after saving. */
export function ProfileCard({ profile, onSaved, explainFailure }: ProfileCardProps) {
  return (
    <EditableBox
      title="Profile Information"
      editLabel="Edit profile"
      savedText="Profile updated successfully!"
      renderForm={({ cancel, saved }) => (
        <ProfileForm
          profile={profile}
          explainFailure={explainFailure}
          onCancel={cancel}
          onSaved={(changed) => {
            onSaved(changed)
            saved()
          }}
        />
      )}
    >
      <ProfileDetails profile={profile} />
    </EditableBox>
  )
}

function ProfileDetails({ profile: { username, name, email, createdAt } }: { profile: Profile }) {
  return (
    <KeyValueList
      items={[
        { label: 'Username', value: username },
        { label: 'Name', value: `${name.first} ${name.last}` },
        { label: 'Email', value: email },
        { label: 'Account since', value: formatLongDate(createdAt) },
      ]}
    />
  )
}
