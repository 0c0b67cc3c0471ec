import { useCallback, useEffect, useRef, useState } from 'react'
import { formatDeadline, formatMoment } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { refundSentence } from '#contract/rsvp-money.ts'
import { changeRsvp, confirmRsvp, downloadCertificate, payRsvp, readOwnRsvp, type OwnRsvp } from '#contract/rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { leaveFor } from '#web/api/leave.ts'
import { saveFile } from '#web/features/console/save-file.ts'
import { explain } from '#web/features/forms/explain.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import { CancelRsvp } from './cancel-rsvp.tsx'
import { PartyFields } from './party-fields.tsx'
import { checkParty, partyOf, RSVP_FIELDS } from './rsvp-party.rules.ts'

const SENTENCES = {
  refused: 'This could not be done. Please try again.',
  network: 'The site did not answer. Check your connection and try again; nothing you typed is lost.',
}
const PLACES = {
  unconfirmed: ['warn', 'Not confirmed yet'],
  coming: ['ok', 'You are on the list'],
  paying: ['warn', 'Your seats are kept until you pay'],
  waiting: ['warn', 'You are on the waitlist'],
  cancelled: ['quiet', 'Cancelled'],
} as const

/** What a letter's link stands for: shown, changed, cancelled. Nothing happens until a button is pressed. */
export function OwnRsvpPanel({ token }: { token: string }) {
  const [rsvp, setRsvp] = useState<OwnRsvp | null>(null)
  const [failure, setFailure] = useState<{ sentence: string; isFinal: boolean } | null>(null)
  // An object, since the same may be done again.
  const [done, setDone] = useState<{ words: string } | null>(null)
  const banner = useRef<HTMLDivElement | null>(null)

  const look = useCallback(() => {
    setFailure(null)
    call(readOwnRsvp, { body: { token } }).then(setRsvp, (cause: unknown) =>
      setFailure({
        sentence: explain(cause, SENTENCES),
        isFinal: cause instanceof CallFailure && cause.kind === 'refused',
      }),
    )
  }, [token])
  useEffect(look, [look])
  useEffect(() => {
    if (done) banner.current?.focus()
  }, [done])

  if (failure) {
    return (
      <Banner tone="bad" role="alert">
        <p>{failure.sentence}</p>
        {!failure.isFinal && (
          <Button variant="line" size="small" onClick={look}>
            Try again
          </Button>
        )}
      </Banner>
    )
  }
  if (!rsvp) return <Spinner text="Looking for your RSVP..." />
  const [tone, word] = PLACES[rsvp.place]
  const isConfirmed = rsvp.place !== 'cancelled' && rsvp.place !== 'unconfirmed'
  const mayChange = isConfirmed && ['open', 'full'].includes(rsvp.offer.state)
  const isAhead = rsvp.place !== 'cancelled' && rsvp.offer.state !== 'over' && rsvp.offer.state !== 'none'
  return (
    <div className="flow">
      <h2>{rsvp.event.title}</h2>
      <p>
        {[rsvp.event.date, rsvp.event.time].filter(Boolean).join(', ')}
        <br />
        {rsvp.event.location}
      </p>
      <p>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <div role="status">
        {done && (
          <Banner tone="good" ref={banner}>
            {done.words}
          </Banner>
        )}
      </div>
      {rsvp.hasCertificate && <Certificate token={token} />}
      {rsvp.place === 'unconfirmed' && (
        <Confirm
          rsvp={rsvp}
          token={token}
          onConfirmed={(next) => {
            setRsvp(next)
            setDone({ words: CONFIRMED[next.place === 'coming' || next.place === 'paying' ? next.place : 'waiting'] })
          }}
        />
      )}
      {rsvp.money && <Money money={rsvp.money} token={token} />}
      {mayChange && (
        <ChangeForm
          key={`${rsvp.place} ${rsvp.guests}`}
          rsvp={rsvp}
          token={token}
          onChanged={(next) => {
            setRsvp(next)
            setDone({ words: 'Your RSVP was changed. An email confirms it.' })
          }}
        />
      )}
      {isAhead && (
        <CancelRsvp
          token={token}
          rsvp={rsvp}
          onCancelled={(next) => {
            setRsvp(next)
            setDone({ words: rsvp.place === 'unconfirmed' ? WITHDRAWN : givenBackWords(rsvp.money) })
          }}
        />
      )}
    </div>
  )
}

const CONFIRMED = {
  coming: 'Your seats are yours. An email has the code for the door.',
  paying: 'Seats are kept for you. Please pay for them below.',
  waiting: 'All seats are taken, so you are on the waitlist. We write when it is your turn.',
}

const WITHDRAWN = 'Your RSVP was withdrawn. Nothing is held for you.'

/** Mail programs open links too: nothing counts until the button is pressed. */
function Confirm({ rsvp, token, onConfirmed }: { rsvp: OwnRsvp; token: string; onConfirmed(next: OwnRsvp): void }) {
  const { name, guests, meals, heldUntil } = rsvp
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')

  async function confirm() {
    setSending(true)
    setFailure('')
    try {
      onConfirmed(await call(confirmRsvp, { body: { token } }))
    } catch (cause) {
      setFailure(explain(cause, SENTENCES))
      setSending(false)
    }
  }

  return (
    <div className="flow">
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <p>
        {name}
        {guests > 0 && `, with ${guests === 1 ? '1 guest' : `${guests} guests`}`}
        {meals.length > 0 && `: ${meals.join(', ')}`}
      </p>
      <p>
        {heldUntil
          ? `Your seats are held until ${formatMoment(heldUntil)}.`
          : 'No seats are held for you at the moment. If some are free when you confirm, they are kept for you; if not, you are on the waitlist.'}
      </p>
      <Button busy={isSending} busyLabel="Confirming" onClick={() => void confirm()}>
        Confirm my RSVP
      </Button>
    </div>
  )
}

/** Sent as a body, so that the token stands in no address and no log. */
function Certificate({ token }: { token: string }) {
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState('')

  async function save() {
    setLoading(true)
    setFailure('')
    try {
      saveFile(await call(downloadCertificate, { body: { token } }), 'certificate-of-attendance.pdf')
    } catch (cause) {
      setFailure(explain(cause, SENTENCES))
    }
    setLoading(false)
  }

  return (
    <div className="flow">
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <p>
        <Button busy={isLoading} busyLabel="Downloading" onClick={() => void save()}>
          Certificate of attendance (PDF)
        </Button>
      </p>
    </div>
  )
}

function ChangeForm({ rsvp, token, onChanged }: { rsvp: OwnRsvp; token: string; onChanged(next: OwnRsvp): void }) {
  const [guests, setGuests] = useState(rsvp.guests)
  const more = rsvp.place === 'coming' ? (guests - rsvp.guests) * (rsvp.money?.guest ?? 0) : 0
  const form = useForm({
    order: RSVP_FIELDS,
    // The address is that of the letter: it is not asked for here.
    check: (values) => ({
      ...checkParty({ ...values, email: 'own@address.example' }, rsvp.offer.meals.length > 0),
    }),
    explain: (failure) => explain(failure, SENTENCES),
    async send(values) {
      const { payAt, ...next } = await call(changeRsvp, { body: { ...partyOf(values), token } })
      if (payAt === undefined) onChanged(next)
      else await leaveFor(payAt)
    },
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Name" name="name" autoComplete="name" defaultValue={rsvp.name} error={form.problems.name} />
      <PartyFields offer={rsvp.offer} party={rsvp} problems={form.problems} onGuests={setGuests} />
      {more > 0 && rsvp.money && (
        <div className="field">
          <p role="status">
            <strong>To pay now: {formatMoney(more, rsvp.money.currency)}</strong>, by card on the next page. Your RSVP
            is changed when it is paid.
          </p>
        </div>
      )}
      {more < 0 && rsvp.money && rsvp.money.paid > 0 && (
        <div className="field">
          <p role="status">
            {rsvp.money.isRefundable
              ? `${formatMoney(Math.min(-more, rsvp.money.paid), rsvp.money.currency)} goes back to the card you paid with.`
              : 'Seats that are given back now are not refunded.'}
          </p>
        </div>
      )}
      <Button
        type="submit"
        variant={rsvp.place === 'paying' ? 'line' : 'solid'}
        busy={form.isSending}
        busyLabel={more > 0 ? 'Opening the payment' : 'Saving'}
      >
        {more > 0 ? 'Continue to payment' : 'Save the change'}
      </Button>
    </form>
  )
}

type Money = NonNullable<OwnRsvp['money']>

function givenBackWords(money: OwnRsvp['money']): string {
  if (!money || money.paid === 0 || !money.isRefundable) return 'Your seats were given back. An email confirms it.'
  return `Your seats were given back, and ${formatMoney(money.paid, money.currency)} goes back to your card. Emails confirm both.`
}

/** What was paid, or is to be paid while the seats are kept. */
function Money({ money, token }: { money: Money; token: string }) {
  const { currency, paid, owed, payBy, refundUntil } = money
  const [isLeaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState('')

  async function pay() {
    setLeaving(true)
    setFailure('')
    try {
      await leaveFor((await call(payRsvp, { body: { token } })).payAt)
    } catch (cause) {
      setFailure(explain(cause, SENTENCES))
    }
    setLeaving(false)
  }

  if (owed > 0) {
    return (
      <Banner tone="warn" title={`Please pay ${formatMoney(owed, currency)}`}>
        {failure && <p role="alert">{failure}</p>}
        <p>
          Your seats are kept until {payBy === null ? 'then' : formatDeadline(payBy)}; after that they go to the next in
          line. {refundSentence(refundUntil)}
        </p>
        <Button busy={isLeaving} busyLabel="Opening the payment" onClick={() => void pay()}>
          Pay {formatMoney(owed, currency)}
        </Button>
      </Banner>
    )
  }
  if (paid === 0) return null
  return (
    <p className="small soft">
      Paid: {formatMoney(paid, currency)}. {refundSentence(refundUntil)}
    </p>
  )
}
