import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { savePassword } from './account-calls.ts'
import { checkPasswords, PASSWORD_FIELDS } from './change-password.rules.ts'
import { SavedMessage } from './saved-message.tsx'
import type { ExplainFailure } from './use-account.ts'

/** `username` tells password managers whose password this is. */
export function PasswordSheet({ username, explainFailure }: { username: string; explainFailure: ExplainFailure }) {
  const [savedAt, setSavedAt] = useState<number | null>(null)
  return (
    <Sheet title="Change Password">
      <PasswordForm
        // Empty anew after each change.
        key={savedAt}
        username={username}
        hasFocus={savedAt !== null}
        explainFailure={explainFailure}
        onSaved={() => setSavedAt(Date.now())}
      />
      <SavedMessage text="Password changed successfully!" at={savedAt} />
    </Sheet>
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
    explain: (failure) =>
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
        error={form.problems.currentPassword}
      />
      <div className="pair">
        <PasswordField
          label="New password"
          name="newPassword"
          autoComplete="new-password"
          hint={`At least ${limits.password.min} characters.`}
          error={form.problems.newPassword}
        />
        <PasswordField
          label="Confirm new password"
          name="confirmPassword"
          autoComplete="new-password"
          error={form.problems.confirmPassword}
        />
      </div>
      <div className="buttons">
        <Button type="submit" size="small" autoFocus={hasFocus} busy={form.isSending} busyLabel="Saving">
          Change password
        </Button>
        <p className="small soft">Every other device is signed out, and a letter tells you about the change.</p>
      </div>
    </form>
  )
}
