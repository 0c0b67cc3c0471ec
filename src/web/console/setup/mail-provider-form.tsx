import { useState } from 'react'
import { saveMailProvider } from '#contract/setup/site-setup.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { validate, type FormValues } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ProviderActions, ProviderSource, type ProviderFormProps } from './provider-source.tsx'

const FIELDS = ['fromName', 'fromAddress', 'host', 'port', 'isSecure', 'user', 'password'] as const
type FieldName = (typeof FIELDS)[number]

const read = (values: FormValues<FieldName>) => ({
  ...values,
  fromAddress: values.fromAddress.trim(),
  port: Number(values.port),
  isSecure: values.isSecure === 'on',
})

/** The mail server of the association. It is stored once it has accepted a test email. */
export function MailProviderForm({ setup, onSaved }: ProviderFormProps) {
  const { source, from, testAddress } = setup.providers.mail
  const [isEditing, setEditing] = useState(source === 'missing')
  const form = useForm({
    order: FIELDS,
    check: (values) => (saveMailProvider.body ? validate<FieldName>(saveMailProvider.body, read(values)) : {}),
    errorMessage: officerErrorMessage,
    async send(values) {
      await callAsOfficer(saveMailProvider, { body: read(values) })
      setEditing(false)
      onSaved()
    },
  })
  if (!isEditing)
    return <ProviderSource source={source} text={`Emails come from ${from}.`} onEdit={() => setEditing(true)} />
  const { errors } = form
  return (
    <form {...form.props}>
      <p>
        Your mail provider tells you these. The site first sends a test email to {testAddress}, and stores them only if
        the server accepts it.
      </p>
      <FormMessages form={form} />
      <div className="pair">
        <Field label="Emails come from: name" name="fromName" autoComplete="off" error={errors.fromName} />
        <Field
          label="Emails come from: address"
          name="fromAddress"
          type="email"
          autoComplete="off"
          hint="An address of your own domain."
          error={errors.fromAddress}
        />
      </div>
      <div className="pair">
        <Field
          label="Mail server"
          name="host"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="Such as smtp.example.org."
          error={errors.host}
        />
        <Field label="Port" name="port" inputMode="numeric" autoComplete="off" defaultValue="465" error={errors.port} />
      </div>
      <Checkbox name="isSecure" label="Encrypted from the start, as on port 465" defaultChecked />
      <div className="pair">
        <Field
          label="User"
          name="user"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.user}
        />
        <PasswordField label="Password of the mail server" name="password" autoComplete="off" error={errors.password} />
      </div>
      <ProviderActions source={source} onCancel={() => setEditing(false)}>
        <Button type="submit" busy={form.isSubmitting} busyLabel="Trying the server">
          Send a test email and save
        </Button>
      </ProviderActions>
    </form>
  )
}
