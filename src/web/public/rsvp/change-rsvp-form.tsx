import { useState } from 'react'
import { region } from '#contract/region.ts'
import { formatMoney } from '#contract/money.ts'
import { changeRsvp, type OwnRsvp } from '#contract/public/rsvp.ts'
import type { TicketChoice } from '#contract/tickets/tickets.ts'
import { call } from '#web/api/call.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PartyFields } from './party-fields.tsx'
import { checkParty, toParty, RSVP_FIELDS } from './rsvp-party.rules.ts'
import { changeCost, kindsOf, personsIn } from './ticket-choice.rules.ts'
import { TicketFields } from './ticket-fields.tsx'
import { TotalToPay } from './total-to-pay.tsx'

/** What the pages of an own RSVP say when a call fails. */
export const SENTENCES = {
  refused: 'Something went wrong. Please try again.',
  network: 'We couldn’t reach the site. Check your connection and try again; your input is kept.',
}

/** Changes the name, guests or tickets, and meals of an RSVP. What is due, or refunded, is shown before. */
export function ChangeRsvpForm({
  rsvp,
  token,
  onChanged,
}: {
  rsvp: OwnRsvp
  token: string
  onChanged(next: OwnRsvp): void
}) {
  const [guests, setGuests] = useState(rsvp.guests)
  const [chosen, setChosen] = useState<TicketChoice>(() => rsvp.tickets)
  const kinds = rsvp.tickets.length > 0 ? kindsOf(rsvp.offer.tickets, rsvp.tickets) : []
  const change =
    kinds.length > 0
      ? changeCost(rsvp.tickets, kinds, chosen, rsvp.money?.paid ?? 0)
      : (guests - rsvp.guests) * (rsvp.money?.guest ?? 0)
  const more = rsvp.place === 'coming' ? change : 0
  const form = useForm({
    order: RSVP_FIELDS,
    // The email address is fixed, so a placeholder passes validation.
    check: (values) => ({
      ...checkParty({ ...values, email: 'own@address.example' }, rsvp.offer.meals.length > 0, kinds),
    }),
    errorMessage: (failure) => errorMessage(failure, SENTENCES),
    async send(values) {
      const { payAt, ...next } = await call(changeRsvp, { body: { ...toParty(values, kinds), token } })
      if (payAt === undefined) onChanged(next)
      else await redirectTo(payAt)
    },
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Name" name="name" autoComplete="name" defaultValue={rsvp.name} error={form.errors.name} />
      {kinds.length > 0 && (
        <TicketFields
          kinds={kinds}
          currency={rsvp.money?.currency ?? rsvp.offer.tickets?.currency ?? region().currency}
          guestsMax={rsvp.offer.guestsMax}
          held={rsvp.tickets}
          error={form.errors.tickets}
          onChosen={setChosen}
        />
      )}
      <PartyFields
        settings={rsvp.offer}
        party={rsvp}
        problems={form.errors}
        onGuests={setGuests}
        persons={kinds.length > 0 ? personsIn(kinds, chosen) : undefined}
      />
      {more > 0 && rsvp.money && (
        <div className="field">
          <TotalToPay cents={more} currency={rsvp.money.currency} />
          <p className="small soft">You’ll pay by card on the next page. Your RSVP changes once you have paid.</p>
        </div>
      )}
      {more < 0 && rsvp.money && rsvp.money.paid > 0 && (
        <div className="field">
          <p role="status">
            {rsvp.money.isRefundable
              ? `${formatMoney(Math.min(-more, rsvp.money.paid), rsvp.money.currency)} will be refunded to the card you paid with.`
              : 'Seats canceled now are not refunded.'}
          </p>
        </div>
      )}
      <Button
        type="submit"
        variant={rsvp.place === 'paying' ? 'line' : 'solid'}
        busy={form.isSubmitting}
        busyLabel={more > 0 ? 'Opening the payment' : 'Saving'}
      >
        {more > 0 ? 'Continue to payment' : 'Save changes'}
      </Button>
    </form>
  )
}
