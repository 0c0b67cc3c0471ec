import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { refundTerms, displayedCost } from '#contract/public/rsvp-money.ts'
import { HOLD_MINUTES, sendRsvp, type PublicRsvpSettings } from '#contract/public/rsvp.ts'
import { priceTickets, ticketsCost, type TicketChoice } from '#contract/tickets/tickets.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { useBotCheck } from '#web/session/bot-check.ts'
import { callAsVisitorOrMember } from '#web/session/call-as-visitor-or-member.ts'
import { useSession } from '#web/session/session.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { findOwnRsvp } from './find-own-rsvp.ts'
import { PartyFields } from './party-fields.tsx'
import { checkParty, toParty, RSVP_FIELDS } from './rsvp-party.rules.ts'
import {
  memberPriceStep,
  memberSaving,
  priceText,
  ticketPriceText,
  type MemberPriceStep,
  type SentRsvp,
} from './rsvp-text.rules.ts'
import { findShortKind, kindsOf, personsIn } from './ticket-choice.rules.ts'
import { TicketFields } from './ticket-fields.tsx'
import { TotalToPay } from './total-to-pay.tsx'

interface RsvpFormProps {
  eventId: string
  /** The current date in the association's time zone. */
  today: string
  email: string
  settings: PublicRsvpSettings
  onDone(sent: SentRsvp): void
  /** The seats were taken meanwhile: reloads the number of seats left. */
  onStale(): void
}

const NO_PARTY = { guests: 0, meals: [] }

/** The RSVP form. Members' names and email addresses are filled in. */
export function RsvpForm({ eventId, today, email, settings, onDone, onStale }: RsvpFormProps) {
  const botCheck = useBotCheck()
  const { user, status } = useSession()
  const [guests, setGuests] = useState(0)
  const [typed, setTyped] = useState(user?.email ?? '')
  // The session may have ended since the settings were loaded.
  const memberEmail = status === 'member' ? settings.memberEmail : null
  const isMember = memberEmail !== null && isSameAddress(typed, memberEmail)
  const left = settings.state === 'full' ? 0 : settings.seatsLeft
  const [chosen, setChosen] = useState<TicketChoice>([])
  const kinds = kindsOf(settings.tickets)
  const persons = kinds.length > 0 ? personsIn(kinds, chosen) : 1 + guests
  const shortKind = findShortKind(kinds, chosen)
  const joinsWaitlist = (left !== null && persons > left) || shortKind !== null || settings.state === 'full'
  const full = settings.tickets
    ? ticketsCost(priceTickets(kinds, chosen, { isMember }))
    : settings.price && displayedCost(settings.price, { guests, isMember })
  const cost = joinsWaitlist ? 0 : (full ?? 0)
  const priced = settings.price ?? settings.tickets
  const form = useForm({
    order: RSVP_FIELDS,
    check: (values) => checkParty(values, settings.meals.length > 0, kinds),
    errorMessage: (failure) =>
      errorMessage(failure, {
        refused: `We couldn’t save your RSVP. Please try again, or email ${email}.`,
        network: 'We couldn’t reach the site. Check your connection and try again; your input is kept.',
      }),
    async send(values) {
      const recaptchaToken = await botCheck('event_rsvp')
      // Never join the waitlist unless the form said so.
      const body = { ...toParty(values, kinds), email: values.email, waitlist: joinsWaitlist, recaptchaToken }
      try {
        const { place, payAt, heldMinutes } = await callAsVisitorOrMember(sendRsvp, { params: { id: eventId }, body })
        if (payAt !== undefined) await redirectTo(payAt)
        else if (place === 'unconfirmed')
          onDone({ place: heldMinutes ? 'held' : 'asked', email: values.email, own: null })
        else onDone(await describeSent(values.email))
      } catch (failure) {
        if (failure instanceof CallFailure && failure.code === 'RSVP_FULL') onStale()
        throw failure
      }
    },
  })
  // Seats without an email to confirm: they are the member's own, or were paid a moment ago.
  async function describeSent(address: string): Promise<SentRsvp> {
    const own = user?.email && isSameAddress(address, user.email) ? await findOwnRsvp(eventId) : null
    return { place: own?.place === 'unconfirmed' ? 'sent' : (own?.place ?? 'sent'), email: address, own }
  }

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
      {settings.tickets && (
        <TicketFields
          kinds={kinds}
          currency={settings.tickets.currency}
          guestsMax={settings.guestsMax}
          held={null}
          error={problems.tickets}
          onChosen={setChosen}
        />
      )}
      <PartyFields
        settings={settings}
        party={NO_PARTY}
        problems={problems}
        onGuests={setGuests}
        persons={settings.tickets ? persons : undefined}
      />
      {priced && !joinsWaitlist && persons > 0 && <TotalToPay cents={cost} currency={priced.currency} />}
      {shortKind !== null && (left === null || persons <= left) && (
        <div className="field" role="status">
          <Banner tone="warn" title={`Not enough tickets: ${shortKind.name}`}>
            With these tickets you would join the waitlist. Choose fewer to get them now.
          </Banner>
        </div>
      )}
      {left !== null && left > 0 && persons > left && (
        <div className="field" role="status">
          <Banner tone="warn" title={left === 1 ? 'Only 1 seat is left' : `Only ${left} seats are left`}>
            With {persons} people you would join the waitlist. Choose fewer guests to get seats now.
          </Banner>
        </div>
      )}
      <Button type="submit" busy={form.isSubmitting} busyLabel={cost > 0 ? 'Opening the payment' : 'Sending'}>
        {joinsWaitlist ? 'Join the waitlist' : cost > 0 ? 'Continue to payment' : 'Send my RSVP'}
      </Button>
      {priced && (
        <PriceTerms
          text={(step) => (settings.price ? priceText(settings.price, step) : ticketPriceText(kinds, step))}
          refundUntil={priced.refundUntil}
          today={today}
          cost={cost}
          isFull={joinsWaitlist}
          step={memberPriceStep(settings.price ?? memberSaving(kinds), {
            isSignedIn: status === 'member',
            hasMembership: memberEmail !== null,
            typedOwnAddress: isMember,
          })}
          here={`${contentPaths.event(eventId)}#rsvp`}
        />
      )}
    </form>
  )
}

function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.toLowerCase()
}

interface PriceProps {
  text(step: MemberPriceStep): string
  refundUntil: string | null
  today: string
  cost: number
  isFull: boolean
  step: MemberPriceStep
  /** Where the form is, to come back to after logging in. */
  here: string
}

/** What a seat costs, and on which terms. */
function PriceTerms({ text, refundUntil, today, cost, isFull, step, here }: PriceProps) {
  return (
    <p className="fine">
      {text(step)}
      {step === 'log-in' && (
        <>
          {' '}
          <Link to={`${paths.login()}?${new URLSearchParams({ next: here })}`}>log in for the member price</Link>.
        </>
      )}
      {step === 'address' && ' use your account’s email address.'}{' '}
      {isFull && 'Nothing is charged while you wait. We’ll email you how to pay when seats open up. '}
      {cost > 0 && `We’ll hold your seats for ${HOLD_MINUTES} minutes while you pay. `}
      {refundTerms(refundUntil, today)}
    </p>
  )
}
