import type { ReactNode } from 'react'
import { explainToOfficer } from '#web/features/console/console-door.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'

interface ReasonDialogProps {
  open: boolean
  onClose(): void
  title: string
  /** What will happen. */
  children: ReactNode
  /** On the button that does it. */
  doing: { label: string; busyLabel: string; isDanger?: boolean }
  send(reason: string): Promise<void>
}

const FIELDS = ['reason'] as const

/** Before something that is told in the history: what will happen, and why it is wanted. */
export function ReasonDialog({ open, onClose, title, children, doing, send }: ReasonDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} width="34rem">
      {open && (
        <>
          {children}
          <ReasonForm doing={doing} send={send} />
        </>
      )}
    </Dialog>
  )
}

function ReasonForm({ doing, send }: Pick<ReasonDialogProps, 'doing' | 'send'>) {
  const form = useForm({ order: FIELDS, explain: explainToOfficer, send: ({ reason }) => send(reason) })
  const { reason: error } = form.problems
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Reason, for the history"
        name="reason"
        maxLength={300}
        autoComplete="off"
        {...(error && { error })}
      />
      <Button
        type="submit"
        variant={doing.isDanger ? 'danger' : 'solid'}
        busy={form.isSending}
        busyLabel={doing.busyLabel}
      >
        {doing.label}
      </Button>
    </form>
  )
}
