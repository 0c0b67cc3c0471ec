import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { explainToOfficer } from '#web/features/console/console-door.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
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
          <ReasonForm title={title} doing={doing} send={send} />
        </>
      )}
    </Dialog>
  )
}

function ReasonForm({ title, doing, send }: Pick<ReasonDialogProps, 'title' | 'doing' | 'send'>) {
  const { pathname } = useLocation()
  const form = useKeptForm(`reason:${pathname}:${title}`, {
    order: FIELDS,
    explain: explainToOfficer,
    send: ({ reason }) => send(reason),
  })
  const { reason: error } = form.problems
  return (
    <form {...form.props}>
      <KeptFormMessages form={form} />
      <Field
        label="Reason for the audit log"
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
