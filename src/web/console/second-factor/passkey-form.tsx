import { useEffect } from 'react'
import { officerLimits } from '#contract/access.ts'
import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { passkeyErrorMessage, preloadPasskeys } from './passkey-calls.ts'

const NAME = ['name'] as const

/** A form with one field, the passkey's name. */
export function PasskeyNameForm({
  name,
  label,
  busyLabel,
  hint,
  send,
}: {
  /** The initial value. */
  name: string
  label: string
  busyLabel: string
  hint?: string
  send(name: string): Promise<void>
}) {
  const form = useForm({
    order: NAME,
    check: checkName,
    errorMessage: passkeyErrorMessage,
    send: ({ name: given }) => send(given),
  })
  useEffect(() => void preloadPasskeys(), [])
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Passkey name"
        name="name"
        defaultValue={name}
        autoComplete="off"
        hint={hint}
        {...(form.errors.name !== undefined && { error: form.errors.name })}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel={busyLabel}>
        {label}
      </Button>
    </form>
  )
}

function checkName({ name }: { name: string }): { name?: string } {
  if (name.trim() === '') return { name: messages.officer.passkeyName }
  return name.trim().length > officerLimits.passkeyNameMax ? { name: messages.officer.passkeyNameLong } : {}
}
