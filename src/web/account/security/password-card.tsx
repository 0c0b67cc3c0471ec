import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Box } from '../box.tsx'
import { savePassword } from './security.calls.ts'
import { checkPasswords, PASSWORD_FIELDS } from './change-password.rules.ts'
import { SavedMessage } from '../saved-message.tsx'
import type { ExplainFailure } from '../use-account.ts'

/** `username` tells password managers which account the password belongs to. */
export function PasswordCard({ username, explainFailure }: { username: string; explainFailure: ExplainFailure }) {
  const [savedAt, setSavedAt] = useState<number | null>(null)
  return (
    <Box title="Change Password">
      <PasswordForm
        // A new key empties the form after each change.
        key={savedAt}
        username={username}
        hasFocus={savedAt !== null}
        explainFailure={explainFailure}
        onSaved={() => setSavedAt(Date.now())}
      />
      <SavedMessage text="Password changed successfully!" at={savedAt} />
    </Box>
  )
}

interface PasswordFormProps {
  username: string
  hasFocus: boolean
  explainFailure: ExplainFailure
  onSaved(): void
}

function PasswordForm({ username, hasFocus, explainFailure, onSaved }: PasswordFormProps) {
  const form = useForm({
    order: PASSWORD_FIELDS,
    check: checkPasswords,
    errorMessage: (failure) =>
      explainFailure(failure, {
        missing: 'Please log in to change your password',
        failed: 'Failed to change password',
      }),
    async send({ currentPassword, newPassword }) {
      await savePassword({ currentPassword, newPassword })
      onSaved()
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <input hidden readOnly autoComplete="username" value={username} />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        error={form.errors.currentPassword}
      />
      <div className="pair">
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          hint={`At least ${limits.password.min} characters.`}
          error={form.errors.newPassword}
        />
        <PasswordField
          label="Confirm new password"
          name="confirmPassword"
          autoComplete="new-password"
          error={form.errors.confirmPassword}
        />
      </div>
      <div className="buttons">
        <Button type="submit" size="small" autoFocus={hasFocus} busy={form.isSubmitting} busyLabel="Saving">
          Change password
        </Button>
        <p className="small soft">Every other device is signed out, and we email you about the change.</p>
      </div>
    </form>
  )
}
