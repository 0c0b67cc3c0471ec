import { limits } from '#contract/limits.ts'
import { sendRsvp, type RsvpOffer } from '#contract/rsvp.ts'
import { call } from '#web/api/call.ts'
import { useBotCheck } from '#web/features/auth/bot-check.ts'
import { useSession } from '#web/features/auth/session.ts'
import { explain } from '#web/features/forms/explain.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PartyFields } from './party-fields.tsx'
import { checkParty, partyOf, RSVP_FIELDS } from './rsvp-party.rules.ts'

interface RsvpFormProps {
  eventId: string
  email: string
  offer: RsvpOffer
  onDone(place: 'coming' | 'waiting'): void
}

const NOBODY = { guests: 0, meals: [] }

/** Members find their name and address filled in. */
export function RsvpForm({ eventId, email, offer, onDone }: RsvpFormProps) {
  const botCheck = useBotCheck()
  const { user } = useSession()
  const form = useForm({
    order: RSVP_FIELDS,
    check: (values) => checkParty(values, offer.meals.length > 0),
    explain: (failure) =>
      explain(failure, {
        refused: `We could not take your RSVP. Please try again, or write to ${email}.`,
        network: 'The site did not answer. Check your connection and try again; nothing you typed is lost.',
      }),
    async send(values) {
      const recaptchaToken = await botCheck('event_rsvp')
      const body = { ...partyOf(values), email: values.email, recaptchaToken }
      onDone((await call(sendRsvp, { params: { id: eventId }, body })).place)
    },
  })
  const { problems } = form
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={limits.contact.nameMax}
        defaultValue={user?.name ? `${user.name.first} ${user.name.last}` : ''}
        error={problems.name}
      />
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={limits.email.max}
        defaultValue={user?.email ?? ''}
        hint="The confirmation comes here, with the code for the door."
        error={problems.email}
      />
      <PartyFields offer={offer} party={NOBODY} problems={problems} />
      <Button type="submit" busy={form.isSending} busyLabel="Sending">
        {offer.state === 'full' ? 'Join the waitlist' : 'Send my RSVP'}
      </Button>
    </form>
  )
}
