import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { formatMoney } from '#contract/money.ts'
import { refundSentence, shownCost } from '#contract/rsvp-money.ts'
import { sendRsvp, type RsvpOffer, type RsvpPrice } from '#contract/rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { leaveFor } from '#web/api/leave.ts'
import { useBotCheck } from '#web/features/auth/bot-check.ts'
import { callAsAnybody } from '#web/features/auth/call-as-anybody.ts'
import { useSession } from '#web/features/auth/session.ts'
import { explain } from '#web/features/forms/explain.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PartyFields } from './party-fields.tsx'
import { checkParty, partyOf, RSVP_FIELDS } from './rsvp-party.rules.ts'

interface RsvpFormProps {
  eventId: string
  email: string
  offer: RsvpOffer
  onDone(done: RsvpDone): void
  /** Seats went to others meanwhile: what is left is looked at again. */
  onStale(): void
}

export type RsvpDone = 'coming' | 'waiting' | 'held' | 'asked'

const NOBODY = { guests: 0, meals: [] }

/** Members find their name and address filled in. */
export function RsvpForm({ eventId, email, offer, onDone, onStale }: RsvpFormProps) {
  const botCheck = useBotCheck()
  const { user, status } = useSession()
  const [guests, setGuests] = useState(0)
  const [typed, setTyped] = useState(user?.email ?? '')
  // The offer was read at the beginning; the session may have ended since.
  const memberEmail = status === 'member' ? offer.memberEmail : null
  const isMember = memberEmail !== null && typed.trim().toLowerCase() === memberEmail.toLowerCase()
  const left = offer.state === 'full' ? 0 : offer.seatsLeft
  const waits = left !== null && 1 + guests > left
  const cost = offer.price && !waits ? shownCost(offer.price, { guests, isMember }) : 0
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
      // Whoever was not told of the waitlist is not put on it.
      const body = { ...partyOf(values), email: values.email, waitlist: waits, recaptchaToken }
      try {
        const { place, payAt, heldMinutes } = await callAsAnybody(sendRsvp, { params: { id: eventId }, body })
        if (payAt !== undefined) await leaveFor(payAt)
        else if (place === 'unconfirmed') onDone(heldMinutes ? 'held' : 'asked')
        else if (place !== 'paying') onDone(place)
      } catch (failure) {
        if (failure instanceof CallFailure && failure.code === 'RSVP_FULL') onStale()
        throw failure
      }
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
        onChange={(event) => setTyped(event.target.value)}
        hint="The confirmation comes here, with the code for the door."
        error={problems.email}
      />
      <PartyFields offer={offer} party={NOBODY} problems={problems} onGuests={setGuests} />
      {offer.price && <Price price={offer.price} cost={cost} isFull={waits} isMember={isMember} />}
      {waits && left > 0 && (
        <div className="field" role="status">
          <Banner tone="warn" title={left === 1 ? 'Only 1 seat is left' : `Only ${left} seats are left`}>
            For {1 + guests} people you would join the waitlist. Choose fewer guests to have seats at once.
          </Banner>
        </div>
      )}
      <Button type="submit" busy={form.isSending} busyLabel={cost > 0 ? 'Opening the payment' : 'Sending'}>
        {waits ? 'Join the waitlist' : cost > 0 ? 'Continue to payment' : 'Send my RSVP'}
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

/** What it costs, as it is filled in; the hosted page shows what the server says. */
function Price({ price: { person, member, currency, refundUntil }, cost, isFull, isMember }: PriceProps) {
  const money = (cents: number) => (cents === 0 ? 'free' : formatMoney(cents, currency))
  return (
    <div className="field">
      <div className="sheet flow">
        <p>
          {formatMoney(person, currency)} a person
          {member < person && (member === 0 ? '; members come free' : `; members pay ${money(member)}`)}
          {member < person && !isMember && ' (log in first, and use the address of your account)'}.
        </p>
        {isFull ? (
          <p>Nothing is charged while you wait. When seats become free for you, a letter tells you how to pay.</p>
        ) : (
          <p role="status">
            <strong>To pay now: {money(cost)}</strong>
          </p>
        )}
        <p className="small soft">
          {cost > 0 && !isFull && 'You pay by card on the next page; your seats are kept for half an hour meanwhile. '}
          {refundSentence(refundUntil)}
        </p>
      </div>
    </div>
  )
}
