import { useCallback, useEffect, useState } from 'react'
import { cancelRsvp, changeRsvp, downloadCertificate, readOwnRsvp, type OwnRsvp } from '#contract/rsvp.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { explain } from '#web/features/forms/explain.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import { PartyFields } from './party-fields.tsx'
import { checkParty, partyOf, RSVP_FIELDS } from './rsvp-party.rules.ts'

const SENTENCES = {
  refused: 'This could not be done. Please try again.',
  network: 'The site did not answer. Check your connection and try again; nothing you typed is lost.',
}
const PLACES = {
  coming: ['ok', 'You are on the list'],
  waiting: ['warn', 'You are on the waitlist'],
  cancelled: ['quiet', 'Cancelled'],
} as const

/** What a letter's link stands for: shown, changed, cancelled. Nothing happens until a button is pressed. */
export function OwnRsvpPanel({ token }: { token: string }) {
  const [rsvp, setRsvp] = useState<OwnRsvp | null>(null)
  const [failure, setFailure] = useState<{ sentence: string; isFinal: boolean } | null>(null)
  const [done, setDone] = useState('')

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
  const mayChange = rsvp.place !== 'cancelled' && ['open', 'full'].includes(rsvp.offer.state)
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
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      {rsvp.hasCertificate && (
        <p>
          <a className="button" href={downloadCertificate.path.replace(':token', encodeURIComponent(token))} download>
            Certificate of attendance (PDF)
          </a>
        </p>
      )}
      {mayChange && (
        <ChangeForm
          key={`${rsvp.place} ${rsvp.guests}`}
          rsvp={rsvp}
          token={token}
          onChanged={(next) => {
            setRsvp(next)
            setDone('Your RSVP was changed. A letter says so too.')
          }}
        />
      )}
      {isAhead && (
        <CancelButton
          token={token}
          title={rsvp.event.title}
          onCancelled={(next) => {
            setRsvp(next)
            setDone('Your seats were given back. A letter says so too.')
          }}
        />
      )}
    </div>
  )
}

function ChangeForm({ rsvp, token, onChanged }: { rsvp: OwnRsvp; token: string; onChanged(next: OwnRsvp): void }) {
  const form = useForm({
    order: RSVP_FIELDS,
    // The address is that of the letter: it is not asked for here.
    check: (values) => ({
      ...checkParty({ ...values, email: 'own@address.example' }, rsvp.offer.meals.length > 0),
    }),
    explain: (failure) => explain(failure, SENTENCES),
    send: async (values) => onChanged(await call(changeRsvp, { body: { ...partyOf(values), token } })),
  })
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Name" name="name" autoComplete="name" defaultValue={rsvp.name} error={form.problems.name} />
      <PartyFields offer={rsvp.offer} party={rsvp} problems={form.problems} />
      <Button type="submit" busy={form.isSending} busyLabel="Saving">
        Save the change
      </Button>
    </form>
  )
}

interface CancelButtonProps {
  token: string
  title: string
  onCancelled(next: OwnRsvp): void
}

function CancelButton({ token, title, onCancelled }: CancelButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState('')

  async function cancel() {
    setSending(true)
    setFailure('')
    try {
      onCancelled(await call(cancelRsvp, { body: { token } }))
      setAsking(false)
    } catch (cause) {
      setFailure(explain(cause, SENTENCES))
    }
    setSending(false)
  }

  return (
    <>
      <Button variant="line" onClick={() => setAsking(true)}>
        I cannot come
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Give your seats back?" width="30rem">
        {failure && (
          <Banner tone="bad" role="alert">
            {failure}
          </Banner>
        )}
        <p>Your RSVP for {title} is cancelled, and your seats go to whoever waits for them.</p>
        <div className="buttons">
          <Button variant="danger" busy={isSending} busyLabel="Cancelling" onClick={() => void cancel()}>
            Cancel my RSVP
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  )
}
