import { useState } from 'react'
import type { Profile } from '#contract/public/account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Box } from '../box.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SavedMessage } from '../saved-message.tsx'
import type { ExplainFailure } from '../use-account.ts'

interface ProfileCardProps {
  profile: Profile
  onSaved(profile: Profile): void
  explainFailure: ExplainFailure
}

/** Shows or edits the profile, with a temporary message after saving. */
export function ProfileCard({ profile, onSaved, explainFailure }: ProfileCardProps) {
  // `back`: the form is closed, so focus the button that opened it.
  const [mode, setMode] = useState<'view' | 'edit' | 'back'>('view')
  const [savedAt, setSavedAt] = useState<number | null>(null)

  return (
    <Box
      title="Profile Information"
      aside={
        mode !== 'edit' && (
          <Button
            variant="line"
            size="small"
            autoFocus={mode === 'back'}
            onClick={() => {
              setSavedAt(null)
              setMode('edit')
            }}
          >
            Edit profile
          </Button>
        )
      }
    >
      {mode === 'edit' ? (
        <ProfileForm
          profile={profile}
          explainFailure={explainFailure}
          onCancel={() => setMode('back')}
          onSaved={(saved) => {
            onSaved(saved)
            setSavedAt(Date.now())
            setMode('back')
          }}
        />
      ) : (
        <ProfileDetails profile={profile} />
      )}
      <SavedMessage text="Profile updated successfully!" at={savedAt} />
    </Box>
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
