import { useState } from 'react'
import type { Profile } from '#contract/account.ts'
import { formatLongDate } from '#contract/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SavedMessage } from './saved-message.tsx'
import type { ExplainFailure } from './use-account.ts'

interface ProfileSheetProps {
  profile: Profile
  onSaved(profile: Profile): void
  explainFailure: ExplainFailure
}

/** Looking at the profile, or editing it; what was saved is said for a while. */
export function ProfileSheet({ profile, onSaved, explainFailure }: ProfileSheetProps) {
  // `back`: the form was closed, so the focus goes to the button that opened it.
  const [mode, setMode] = useState<'view' | 'edit' | 'back'>('view')
  const [savedAt, setSavedAt] = useState<number | null>(null)

  return (
    <Sheet
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
        <ProfileFacts profile={profile} />
      )}
      <SavedMessage text="Profile updated successfully!" at={savedAt} />
    </Sheet>
  )
}

function ProfileFacts({ profile: { username, name, email, createdAt } }: { profile: Profile }) {
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
