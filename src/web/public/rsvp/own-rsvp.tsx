import { useCallback, useEffect, useRef, useState } from 'react'
import { formatDeadline, formatMoment } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { refundTerms } from '#contract/public/rsvp-money.ts'
import { confirmRsvp, downloadCertificate, payRsvp, readOwnRsvp, type OwnRsvp } from '#contract/public/rsvp.ts'
import { ticketLines } from '#contract/tickets/tickets.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { documentPaths } from '#web/app/paths.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { CancelRsvp } from './cancel-rsvp.tsx'
import { ChangeRsvpForm, SENTENCES } from './change-rsvp-form.tsx'

const STATES = {
  unconfirmed: ['warn', 'Not confirmed yet'],
  coming: ['ok', 'Confirmed'],
  paying: ['warn', 'Payment due'],
  waiting: ['warn', 'Waitlist'],
  cancelled: ['quiet', 'Canceled'],
} as const

/** The guest's RSVP from an email link: view, change or cancel. Nothing happens until a button is pressed. */
export function OwnRsvpPanel({ token }: { token: string }) {
  const [rsvp, setRsvp] = useState<OwnRsvp | null>(null)
  const [failure, setFailure] = useState<{ sentence: string; isFinal: boolean } | null>(null)
  // An object, so that repeating the same action updates the state.
  const [done, setDone] = useState<{ text: string } | null>(null)
  const banner = useRef<HTMLDivElement | null>(null)

  const load = useCallback(() => {
    setFailure(null)
    call(readOwnRsvp, { body: { token } }).then(setRsvp, (cause: unknown) =>
      setFailure({
        sentence: errorMessage(cause, SENTENCES),
        isFinal: cause instanceof CallFailure && cause.kind === 'refused',
      }),
    )
  }, [token])
  useEffect(load, [load])
  useEffect(() => {
    if (done) banner.current?.focus()
  }, [done])

  if (failure) {
    return (
      <Banner tone="bad" role="alert">
        <p>{failure.sentence}</p>
        {!failure.isFinal && (
          <Button variant="line" size="small" onClick={load}>
            Try again
          </Button>
        )}
      </Banner>
    )
  }
  if (!rsvp) return <Spinner text="Looking for your RSVP..." />
  const [tone, label] = STATES[rsvp.place]
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
        {rsvp.tickets.length > 0 && (
          <>
            <br />
            {ticketLines(rsvp.tickets).join(', ')}
          </>
        )}
      </p>
      <p>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <div role="status">
        {done && (
          <Banner tone="good" ref={banner}>
            {done.text}
          </Banner>
        )}
      </div>
      {isAhead && rsvp.place === 'coming' && (
        <p>
          <a className="button line" href={documentPaths.eventCalendar(rsvp.event.id)}>
            Add to calendar
          </a>
        </p>
      )}
      {rsvp.hasCertificate && <Certificate token={token} />}
      {rsvp.place === 'unconfirmed' && (
        <Confirm
          rsvp={rsvp}
          token={token}
          onConfirmed={(next) => {
            setRsvp(next)
            setDone({ text: CONFIRMED[next.place === 'coming' || next.place === 'paying' ? next.place : 'waiting'] })
          }}
        />
      )}
      {rsvp.money && <Money money={rsvp.money} token={token} />}
      {mayChange && (
        <ChangeRsvpForm
          key={`${rsvp.place} ${rsvp.guests} ${ticketLines(rsvp.tickets).join()}`}
          rsvp={rsvp}
          token={token}
          onChanged={(next) => {
            setRsvp(next)
            setDone({ text: 'Your RSVP was updated. We’ve emailed you a confirmation.' })
          }}
        />
      )}
      {isAhead && (
        <CancelRsvp
          token={token}
          rsvp={rsvp}
          onCancelled={(next) => {
            setRsvp(next)
            setDone({ text: rsvp.place === 'unconfirmed' ? WITHDRAWN : canceledText(rsvp.money) })
          }}
        />
      )}
    </div>
  )
}

const CONFIRMED = {
  coming: 'Your seats are confirmed. We’ve emailed you the check-in code.',
  paying: 'Your seats are held. Please pay below.',
  waiting: 'All seats are taken, so you are on the waitlist. We’ll email you when seats open up.',
}

const WITHDRAWN = 'Your RSVP was withdrawn. No seats are held for you.'

/** Email clients may open links, so the RSVP is confirmed only by the button. */
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
      setFailure(errorMessage(cause, SENTENCES))
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
          : 'No seats are held for you right now. If seats are available when you confirm, they are yours; if not, you join the waitlist.'}
      </p>
      <Button busy={isSending} busyLabel="Confirming" onClick={() => void confirm()}>
        Confirm my RSVP
      </Button>
    </div>
  )
}

/** Sends the token in the request body, so that it appears in no URL or log. */
function Certificate({ token }: { token: string }) {
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState('')

  async function save() {
    setLoading(true)
    setFailure('')
    try {
      downloadFile(await call(downloadCertificate, { body: { token } }), 'certificate-of-attendance.pdf')
    } catch (cause) {
      setFailure(errorMessage(cause, SENTENCES))
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

type Money = NonNullable<OwnRsvp['money']>

function canceledText(money: OwnRsvp['money']): string {
  if (!money || money.paid === 0 || !money.isRefundable)
    return 'Your RSVP was canceled. We’ve emailed you a confirmation.'
  return `Your RSVP was canceled, and ${formatMoney(money.paid, money.currency)} will be refunded to your card. We’ve emailed you a confirmation of both.`
}

/** The amount paid, or due while the seats are held. */
function Money({ money, token }: { money: Money; token: string }) {
  const { currency, paid, owed, payBy, refundUntil } = money
  const [isLeaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState('')

  async function pay() {
    setLeaving(true)
    setFailure('')
    try {
      await redirectTo((await call(payRsvp, { body: { token } })).payAt)
    } catch (cause) {
      setFailure(errorMessage(cause, SENTENCES))
    }
    setLeaving(false)
  }

  if (owed > 0) {
    return (
      <Banner tone="warn" title={`Please pay ${formatMoney(owed, currency)}`}>
        {failure && <p role="alert">{failure}</p>}
        <p>
          Your seats are held until {payBy === null ? 'then' : formatDeadline(payBy)}; after that they go to the next
          guest on the waitlist. {refundTerms(refundUntil)}
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
      Paid: {formatMoney(paid, currency)}. {refundTerms(refundUntil)}
    </p>
  )
}
