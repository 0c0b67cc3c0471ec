import { useState } from 'react'
import { visitorErrors } from '#contract/visitor-errors.ts'
import { errorMessage, isBotCheckFailure } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const FIELDS = ['email'] as const
const loadCalls = () => import('./newsletter-calls.ts')

interface NewsletterFormProps {
  button: string
  /** `line` for what visitors should not be drawn to. */
  variant?: 'solid' | 'line'
  /** The server rejected the call without a message of its own. */
  refused: string
  /** Returns the message to show. */
  send(email: string): Promise<string>
}

/** The form of the subscribe and unsubscribe pages. After success it shows the result below and empties the field. */
export function NewsletterForm({ button, variant, refused, send }: NewsletterFormProps) {
  const [done, setDone] = useState('')
  const [botCheckFailed, setBotCheckFailed] = useState(false)
  const form = useForm({
    order: FIELDS,
    loadCheck: async () => (await import('./newsletter-address.rules.ts')).checkNewsletterAddress,
    prepare: loadCalls,
    errorMessage(failure) {
      setBotCheckFailed(isBotCheckFailure(failure))
      return errorMessage(failure, {
        refused,
        network: 'An error occurred. Please try again.',
        botCheck: 'Security verification failed. Please try again.',
      })
    },
    async send({ email }) {
      setDone('')
      setBotCheckFailed(false)
      setDone(await send(email.trim()))
      form.props.ref.current?.reset()
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      {form.failure && botCheckFailed && <Banner tone="bad">{visitorErrors.BOT_CHECK_FAILED.message}</Banner>}
      <Field label="Email" name="email" type="email" autoComplete="email" required error={form.errors.email} />
      <Button type="submit" variant={variant} busy={form.isSubmitting} busyLabel="Sending">
        {button}
      </Button>
      {done && <Banner tone="good">{done}</Banner>}
      <Announcer message={done} />
    </form>
  )
}
