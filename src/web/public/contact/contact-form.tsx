import { useEffect, useRef, useState } from 'react'
import { errors } from '#contract/errors.ts'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { useBotCheck } from '#web/session/bot-check.ts'
import { isBotCheckFailure } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'

const FIELDS = ['name', 'email', 'subject', 'message'] as const
const loadSend = () => import('./send-message.ts')

/** `email` is the association's address, for visitors who cannot send the form. */
export function ContactForm({ email }: { email: string }) {
  const botCheck = useBotCheck()
  const [sent, setSent] = useState('')
  const [botCheckFailed, setBotCheckFailed] = useState(false)
  const subject = useRef<HTMLInputElement | null>(null)

  useEffect(() => {
    // Links may prefill the subject ('Sponsorship Inquiry'); text typed before hydration stays.
    const prefilled = new URLSearchParams(window.location.search).get('subject')
    if (prefilled && subject.current?.value === '')
      subject.current.value = prefilled.slice(0, limits.contact.subjectMax)
  }, [])

  useEffect(() => {
    if (!sent) return
    const timer = setTimeout(() => setSent(''), limits.contact.bannerMs)
    return () => clearTimeout(timer)
  }, [sent])

  const form = useForm({
    order: FIELDS,
    loadCheck: async () => (await import('./contact.rules.ts')).checkMessage,
    prepare: loadSend,
    errorMessage(failure) {
      setBotCheckFailed(isBotCheckFailure(failure))
      // The visitor sees the usual message; the limit's figures are logged for debugging.
      if (failure instanceof CallFailure && failure.status === 429) console.warn('Too many messages', failure)
      return `Sorry, there was an error sending your message. Please try again in a few minutes or email us directly at ${email}`
    },
    async send(values) {
      setSent('')
      setBotCheckFailed(false)
      const recaptchaToken = await botCheck('contact_form')
      const { sendMessage } = await loadSend()
      setSent(await sendMessage({ ...values, recaptchaToken }))
      form.props.ref.current?.reset()
    },
  })

  return (
    <form {...form.props}>
      <FormMessages form={form} />
      {form.failure && botCheckFailed && <Banner tone="bad">{errors.BOT_CHECK_FAILED.message}</Banner>}
      <Field label="Name" name="name" autoComplete="name" error={form.errors.name} />
      <Field label="Email" name="email" type="email" autoComplete="email" error={form.errors.email} />
      <Field label="Subject" name="subject" ref={subject} error={form.errors.subject} />
      <TextArea
        label="Message"
        name="message"
        rows={7}
        hint="Please do not send medical information."
        error={form.errors.message}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Sending">
        Send message
      </Button>
      {sent && <Banner tone="good">{sent}</Banner>}
      <Announcer message={sent} />
    </form>
  )
}
