import { limits } from '#contract/limits.ts'
import { directoryMessage } from '#contract/public/my-account/directory.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'
import { FormButtons } from '../form-buttons.tsx'
import type { ExplainFailure } from '../use-account.ts'
import { sendMessage } from './directory.calls.ts'

interface MessageFormProps {
  entryId: string
  firstName: string
  explainFailure: ExplainFailure
  onSent(): void
  onCancel(): void
}

type MessageField = 'subject' | 'text' | 'showsAddress'

/** A message to a member. The sender decides whether the recipient gets an address to reply to. */
export function MessageForm({ entryId, firstName, explainFailure, onSent, onCancel }: MessageFormProps) {
  const form = useForm<MessageField>({
    order: ['subject', 'text', 'showsAddress'],
    check: ({ subject, text }) => validate(directoryMessage, { subject, text }),
    errorMessage(failure) {
      if (failure instanceof CallFailure && failure.code === 'RATE_LIMITED')
        return 'You have sent as many messages as one day allows. Please continue tomorrow.'
      return explainFailure(failure, {
        missing: 'Please log in to send a message',
        failed: 'Your message was not sent. Please try again.',
      })
    },
    async send({ subject, text, showsAddress }) {
      await sendMessage(entryId, { subject, text, showsAddress: showsAddress === 'on' })
      onSent()
    },
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Subject" name="subject" maxLength={limits.directory.subjectMax} error={form.errors.subject} />
      <TextArea
        label="Message"
        name="text"
        rows={8}
        maxLength={limits.directory.message.max}
        error={form.errors.text}
      />
      <Checkbox
        name="showsAddress"
        defaultChecked
        label={`Show ${firstName} my email address, so that the answer can come by email`}
      />
      <FormButtons label="Send message" busyLabel="Sending" isSubmitting={form.isSubmitting} onCancel={onCancel} />
    </form>
  )
}
