import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'

interface ReasonDialogProps {
  open: boolean
  onClose(): void
  title: string
  /** Explains what will happen. */
  children: ReactNode
  /** The confirm button. */
  doing: { label: string; busyLabel: string; isDanger?: boolean }
  send(reason: string): Promise<void>
}

const FIELDS = { reason: 'Reason for the audit log' }

/** Confirms an action that is recorded in the audit log, and asks for the reason. */
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
  const form = useDraftForm(`reason:${pathname}:${title}`, {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    send: ({ reason }) => send(reason),
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field {...form.field('reason')} maxLength={300} autoComplete="off" />
      <Button
        type="submit"
        variant={doing.isDanger ? 'danger' : 'solid'}
        busy={form.isSubmitting}
        busyLabel={doing.busyLabel}
      >
        {doing.label}
      </Button>
    </form>
  )
}
