import { useEffect } from 'react'
import { officerLimits } from '#contract/access.ts'
import { messages } from '#contract/messages.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { explainPasskey, preloadPasskeys } from './passkey.ts'

const NAME = ['name'] as const

/** What a passkey is called, then what is done with that. */
export function PasskeyNameForm({
  name,
  label,
  busyLabel,
  hint,
  send,
}: {
  /** To begin with. */
  name: string
  label: string
  busyLabel: string
  hint?: string
  send(name: string): Promise<void>
}) {
  const form = useForm({
    order: NAME,
    check: checkName,
    explain: explainPasskey,
    send: ({ name: given }) => send(given),
  })
  useEffect(() => void preloadPasskeys(), [])
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Name of the passkey"
        name="name"
        defaultValue={name}
        autoComplete="off"
        hint={hint}
        {...(form.problems.name !== undefined && { error: form.problems.name })}
      />
      <Button type="submit" busy={form.isSending} busyLabel={busyLabel}>
        {label}
      </Button>
    </form>
  )
}

function checkName({ name }: { name: string }): { name?: string } {
  if (name.trim() === '') return { name: messages.officer.passkeyName }
  return name.trim().length > officerLimits.passkeyNameMax ? { name: messages.officer.passkeyNameLong } : {}
}
