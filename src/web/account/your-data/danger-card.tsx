import { useState } from 'react'
import { messages } from '#contract/messages.ts'
import { logOut } from '#web/session/session.ts'
import { useForm } from '#web/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Box } from '../box.tsx'
import { deleteOwnAccount } from './data.calls.ts'
import type { ExplainFailure } from '../use-account.ts'

interface DangerCardProps {
  /** Called after the account is deleted and the browser logged out. */
  onDeleted(): void
  explainFailure: ExplainFailure
}

export function DangerCard(props: DangerCardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Box title="Danger Zone" danger>
      <p>
        Deleting your account signs you out everywhere and ends your membership at the end of the time you paid for.
        This cannot be undone.
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
    </Box>
  )
}

const FIELDS = ['password'] as const

function DeleteForm({ onDeleted, onCancel, explainFailure }: DangerCardProps & { onCancel(): void }) {
  const form = useForm({
    order: FIELDS,
    check: ({ password }) => (password === '' ? { password: messages.password.required } : {}),
    errorMessage: (failure) =>
      explainFailure(failure, {
        missing: 'Please log in to delete your account',
        failed: 'Failed to delete account',
      }),
    async send({ password }) {
      const sentence = await deleteOwnAccount(password)
      logOut()
      // The specification requires an alert (docs/product-rules.md#deleting-an-account).
      window.alert(sentence)
      onDeleted()
    },
  })

  const { failure, failureRef } = form

  return (
    <form {...form.props}>
      <p>You won't be charged again. We keep your name and address with your receipts, as accounting rules require.</p>
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
        hint="To confirm it's you."
        error={form.errors.password}
      />
      <div className="buttons">
        <Button type="submit" variant="danger" busy={form.isSubmitting} busyLabel="Deleting">
          Delete account
        </Button>
        <Button variant="line" disabled={form.isSubmitting} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
