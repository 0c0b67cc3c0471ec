import { useState } from 'react'
import { messages } from '#contract/messages.ts'
import { logOut } from '#web/features/auth/session.ts'
import { useForm } from '#web/features/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, preloadDialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { removeAccount } from './account-calls.ts'
import type { ExplainFailure } from './use-account.ts'

interface DangerSheetProps {
  /** Told once the account is gone and the browser signed out. */
  onDeleted(): void
  explainFailure: ExplainFailure
}

export function DangerSheet(props: DangerSheetProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Sheet title="Danger Zone" danger>
      <p>
        Deleting your account signs you out everywhere and ends your membership when the time you paid for is over. This
        cannot be undone.
      </p>
      <Button
        variant="danger"
        size="small"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void preloadDialog().catch(() => {})}
      >
        Delete account
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Delete your account?" width="32rem">
        <DeleteForm {...props} onCancel={() => setOpen(false)} />
      </Dialog>
    </Sheet>
  )
}

const FIELDS = ['password'] as const

function DeleteForm({ onDeleted, onCancel, explainFailure }: DangerSheetProps & { onCancel(): void }) {
  const form = useForm({
    order: FIELDS,
    check: ({ password }) => (password === '' ? { password: messages.password.required } : {}),
    explain: (failure) =>
      explainFailure(failure, {
        missing: 'Please log in to delete your account',
        failed: 'Failed to delete account',
      }),
    async send({ password }) {
      const sentence = await removeAccount(password)
      logOut()
      // The specification asks for this window (docs/product-rules.md#deleting-an-account).
      window.alert(sentence)
      onDeleted()
    },
  })

  const { failure, failureRef } = form

  return (
    <form {...form.props}>
      <p>Nothing more will be charged. Your name and address stay with your receipts, as the books require.</p>
      {failure && (
        <Banner tone="bad" role="alert" ref={failureRef}>
          {failure}
        </Banner>
      )}
      <PasswordField
        id="delete-password"
        label="Password"
        name="password"
        autoComplete="current-password"
        autoFocus
        hint="To make sure that it is you."
        error={form.problems.password}
      />
      <div className="buttons">
        <Button type="submit" variant="danger" busy={form.isSending} busyLabel="Deleting">
          Delete account
        </Button>
        <Button variant="line" disabled={form.isSending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
