import { useEffect, useRef, useState } from 'react'
import { visitorErrors } from '#contract/visitor-errors.ts'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { useBotCheck } from '#web/session/bot-check.ts'
import { isBotCheckFailure } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import type { Part } from '#contract/parts.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'
import { Spot, type SpotName } from '#web/ui/picture.tsx'

const FIELDS = ['name', 'email', 'subject', 'message'] as const
/** What most people write about; a click fills the subject. */
const TOPICS: { title: string; text: string; subject: string; spot: SpotName; part?: Part }[] = [
  { title: 'Membership', text: 'Joining, renewing, credentials', subject: 'Membership', spot: 'ballot' },
  { title: 'The clinic', text: 'Hours, volunteering', subject: 'The clinic', spot: 'stethoscope', part: 'clinic' },
  { title: 'Press and advocacy', text: 'Interviews, hearings', subject: 'Press and advocacy', spot: 'horn' },
  {
    title: 'Sponsorship',
    text: 'Tiers, logos, receipts',
    subject: 'Sponsorship Inquiry',
    spot: 'cups',
    part: 'sponsors',
  },
]

const loadSend = () => import('./send-message.ts')

interface ContactFormProps {
  /** The association's address, for visitors who cannot send the form. */
  email: string
  replyTime: string
  /** What messages are not for; may be empty. */
  caution: string
}

export function ContactForm({ email, replyTime, caution }: ContactFormProps) {
  const botCheck = useBotCheck()
  const { partsOff = [] } = useFrameContents()
  const [sent, setSent] = useState('')
  // Remains after the banner is gone.
  const [isSent, setIsSent] = useState(false)
  const [topic, setTopic] = useState('')
  const banner = useRef<HTMLDivElement | null>(null)
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
    banner.current?.scrollIntoView({ block: 'nearest' })
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
      setIsSent(false)
      setBotCheckFailed(false)
      const recaptchaToken = await botCheck('contact_form')
      const { sendMessage } = await loadSend()
      setSent(await sendMessage({ ...values, recaptchaToken }))
      setIsSent(true)
      setTopic('')
      form.props.ref.current?.reset()
    },
  })

  return (
    <form {...form.props}>
      {sent && (
        <Banner tone="good" ref={banner}>
          {sent}
        </Banner>
      )}
      <Announcer message={sent} />
      <FormMessages form={form} />
      {form.failure && botCheckFailed && <Banner tone="bad">{visitorErrors.BOT_CHECK_FAILED.message}</Banner>}
      <div className="topics" role="group" aria-labelledby="write">
        {TOPICS.filter(({ part }) => !part || !partsOff.includes(part)).map(({ title, text, spot, ...filled }) => (
          <button
            key={title}
            type="button"
            aria-pressed={topic === filled.subject}
            onClick={() => {
              setTopic(filled.subject)
              if (subject.current) subject.current.value = filled.subject
            }}
          >
            <Spot name={spot} />
            <span>
              <b>{title}</b>
              <small>{text}</small>
            </span>
          </button>
        ))}
      </div>
      <div className="pair">
        <Field label="Name" name="name" autoComplete="name" error={form.errors.name} />
        <Field label="Email" name="email" type="email" autoComplete="email" error={form.errors.email} />
      </div>
      <Field label="Subject" name="subject" ref={subject} error={form.errors.subject} />
      <TextArea label="Message" name="message" rows={7} hint={caution && `${caution}.`} error={form.errors.message} />
      <div className="buttons">
        <Button type="submit" busy={form.isSubmitting} busyLabel="Sending">
          Send message
        </Button>
        {isSent && <p className="small soft">Sent. We reply within {replyTime}.</p>}
      </div>
    </form>
  )
}
