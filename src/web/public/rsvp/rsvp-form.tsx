import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { formatMoney } from '#contract/money.ts'
import { refundTerms, displayedCost } from '#contract/public/rsvp-money.ts'
import { sendRsvp, type PublicRsvpSettings, type RsvpPrice } from '#contract/public/rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { useBotCheck } from '#web/session/bot-check.ts'
import { callAsVisitorOrMember } from '#web/session/call-as-visitor-or-member.ts'
import { useSession } from '#web/session/session.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PartyFields } from './party-fields.tsx'
import { checkParty, toParty, RSVP_FIELDS } from './rsvp-party.rules.ts'

interface RsvpFormProps {
  eventId: string
  email: string
  settings: PublicRsvpSettings
  onDone(done: RsvpDone): void
  /** The seats were taken meanwhile: reloads the number of seats left. */
  onStale(): void
}

export type RsvpDone = 'coming' | 'waiting' | 'held' | 'asked'

const NO_PARTY = { guests: 0, meals: [] }

/** The RSVP form. Members' names and email addresses are filled in. */
export function RsvpForm({ eventId, email, settings, onDone, onStale }: RsvpFormProps) {
  const botCheck = useBotCheck()
  const { user, status } = useSession()
  const [guests, setGuests] = useState(0)
  const [typed, setTyped] = useState(user?.email ?? '')
  // The session may have ended since the settings were loaded.
  const memberEmail = status === 'member' ? settings.memberEmail : null
  const isMember = memberEmail !== null && typed.trim().toLowerCase() === memberEmail.toLowerCase()
  const left = settings.state === 'full' ? 0 : settings.seatsLeft
  const joinsWaitlist = left !== null && 1 + guests > left
  const cost = settings.price && !joinsWaitlist ? displayedCost(settings.price, { guests, isMember }) : 0
  const form = useForm({
    order: RSVP_FIELDS,
    check: (values) => checkParty(values, settings.meals.length > 0),
    errorMessage: (failure) =>
      errorMessage(failure, {
        refused: `We couldn’t save your RSVP. Please try again, or email ${email}.`,
        network: 'We couldn’t reach the site. Check your connection and try again; your input is kept.',
      }),
    async send(values) {
      const recaptchaToken = await botCheck('event_rsvp')
      // Never join the waitlist unless the form said so.
      const body = { ...toParty(values), email: values.email, waitlist: joinsWaitlist, recaptchaToken }
      try {
        const { place, payAt, heldMinutes } = await callAsVisitorOrMember(sendRsvp, { params: { id: eventId }, body })
        if (payAt !== undefined) await redirectTo(payAt)
        else if (place === 'unconfirmed') onDone(heldMinutes ? 'held' : 'asked')
        else if (place !== 'paying') onDone(place)
      } catch (failure) {
        if (failure instanceof CallFailure && failure.code === 'RSVP_FULL') onStale()
        throw failure
      }
    },
  })
  const { errors: problems } = form
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
        onChange={(event) => setTyped(event.target.value)}
        hint="We’ll email your confirmation and check-in code."
        error={problems.email}
      />
      <PartyFields settings={settings} party={NO_PARTY} problems={problems} onGuests={setGuests} />
      {settings.price && <Price price={settings.price} cost={cost} isFull={joinsWaitlist} isMember={isMember} />}
      {joinsWaitlist && left > 0 && (
        <div className="field" role="status">
          <Banner tone="warn" title={left === 1 ? 'Only 1 seat is left' : `Only ${left} seats are left`}>
            With {1 + guests} people you would join the waitlist. Choose fewer guests to get seats now.
          </Banner>
        </div>
      )}
      <Button type="submit" busy={form.isSubmitting} busyLabel={cost > 0 ? 'Opening the payment' : 'Sending'}>
        {joinsWaitlist ? 'Join the waitlist' : cost > 0 ? 'Continue to payment' : 'Send my RSVP'}
      </Button>
    </form>
  )
}

interface PriceProps {
  price: RsvpPrice
  cost: number
  isFull: boolean
  isMember: boolean
}

/** An estimate of the price. The amount charged is computed by the server. */
function Price({ price: { person, member, currency, refundUntil }, cost, isFull, isMember }: PriceProps) {
  const money = (cents: number) => (cents === 0 ? 'free' : formatMoney(cents, currency))
  return (
    <div className="field">
      <div className="card flow">
        <p>
          {formatMoney(person, currency)} per person
          {member < person && (member === 0 ? ', free for members' : `, members pay ${money(member)}`)}
          {member < person && !isMember && ' (log in and use your account’s email address)'}.
        </p>
        {isFull ? (
          <p>Nothing is charged while you wait. We’ll email you how to pay when seats open up.</p>
        ) : (
          <p role="status">
            <strong>To pay now: {money(cost)}</strong>
          </p>
        )}
        <p className="small soft">
          {cost > 0 && !isFull && 'You’ll pay by card on the next page. We’ll hold your seats for 30 minutes. '}
          {refundTerms(refundUntil)}
        </p>
      </div>
    </div>
  )
}
