import { useState } from 'react'
import type { Profile } from '#contract/public/account.ts'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Field } from '#web/ui/field.tsx'
import { saveProfile } from './profile.calls.ts'
import { getAccount } from '#web/shared/get-account.ts'
import { checkProfile, PROFILE_FIELDS, toEditable, toProfile } from './profile.rules.ts'
import { FormButtons } from '../form-buttons.tsx'
import type { ExplainFailure } from '../use-account.ts'

interface ProfileFormProps {
  profile: Profile
  onSaved(profile: Profile): void
  onCancel(): void
  explainFailure: ExplainFailure
}

export function ProfileForm({ profile, onSaved, onCancel, explainFailure }: ProfileFormProps) {
  const [seen, setSeen] = useState(toEditable(profile))
  const [changedElsewhere, setChangedElsewhere] = useState(false)
  const form = useForm({
    order: PROFILE_FIELDS,
    check: checkProfile,
    errorMessage: (failure) =>
      explainFailure(failure, { missing: 'Please log in to update your profile', failed: 'Failed to update profile' }),
    async send(values) {
      try {
        onSaved(await saveProfile(toProfile(values), seen))
      } catch (failure) {
        if (failure instanceof CallFailure && failure.code === 'PROFILE_CHANGED') {
          // The form keeps what the member typed; saving again overwrites the values now shown.
          setSeen(toEditable((await getAccount()).profile))
          setChangedElsewhere(true)
        }
        throw failure
      }
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      {changedElsewhere && (
        <p className="form-messages">
          Saved elsewhere: username <strong>{seen.username}</strong>, name{' '}
          <strong>
            {seen.name.first} {seen.name.last}
          </strong>
          .
        </p>
      )}
      <Field
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        defaultValue={profile.username}
        error={form.errors.username}
      />
      <div className="pair">
        <Field
          label="First name"
          name="name.first"
          autoComplete="given-name"
          maxLength={limits.personName.max}
          defaultValue={profile.name.first}
          error={form.errors['name.first']}
        />
        <Field
          label="Last name"
          name="name.last"
          autoComplete="family-name"
          maxLength={limits.personName.max}
          defaultValue={profile.name.last}
          error={form.errors['name.last']}
        />
      </div>
      <FormButtons label="Save changes" busyLabel="Saving" isSubmitting={form.isSubmitting} onCancel={onCancel} />
    </form>
  )
}
