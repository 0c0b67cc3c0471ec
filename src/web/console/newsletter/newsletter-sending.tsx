import { useId, useState } from 'react'
import { sendNewsletter, steerNewsletter, type NewsletterDetail } from '#contract/console-newsletter.ts'
import { formatMoment } from '#contract/dates.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { ActionMessages } from './action-messages.tsx'
import { callAsOfficer } from './console-door.ts'
import { useAction } from './use-action.ts'

type Wish = 'unschedule' | 'pause' | 'resume' | 'again'

/** Sending, now or later, with a second question; then how far it has gone. */
export function NewsletterSending({
  newsletter,
  isUnsaved,
  onChanged,
}: {
  newsletter: NewsletterDetail
  /** Words on the screen are not saved: they would not go out. */
  isUnsaved: boolean
  onChanged(newsletter: NewsletterDetail): void
}) {
  const { id, state, version, readers, refused, scheduledFor, mailing } = newsletter
  const action = useAction()
  const [at, setAt] = useState('')
  const reasonId = useId()
  const reason = isUnsaved ? reasonId : undefined
  const [asking, setAsking] = useState<'now' | 'later' | 'again' | null>(null)

  async function send(when: string | null) {
    setAsking(null)
    await action.run(
      'send',
      async () => onChanged(await callAsOfficer(sendNewsletter, { params: { id }, body: { version, at: when } })),
      when === null ? 'It is on its way.' : 'It is scheduled.',
    )
  }

  async function steer(wish: Wish, done: string) {
    setAsking(null)
    await action.run(
      wish,
      async () => onChanged(await callAsOfficer(steerNewsletter, { params: { id }, body: { wish } })),
      done,
    )
  }

  const button = (wish: Wish, label: string, done: string) => (
    <Button
      variant="line"
      busy={action.busy === wish}
      busyLabel={label}
      onClick={() => (wish === 'again' ? setAsking('again') : void steer(wish, done))}
    >
      {label}
    </Button>
  )
  const people = readers === 1 ? '1 reader' : `${readers.toLocaleString('en-US')} readers`

  return (
    <Sheet title={mailing ? 'How far it has gone' : 'Send it'}>
      <ActionMessages action={action} />
      {refused && <Banner tone="bad">It does not go out by itself. {refused}</Banner>}
      {state === 'draft' && (
        <>
          <p>It would go to {people}, each with a link of their own to leave.</p>
          <div className="pair">
            <Field
              label="Later, on the association’s clock"
              name="at"
              type="datetime-local"
              value={at}
              onChange={(event) => setAt(event.target.value)}
            />
          </div>
          <div className="buttons">
            <Button
              busy={action.busy === 'send'}
              busyLabel="Sending"
              disabled={isUnsaved}
              aria-describedby={reason}
              onClick={() => setAsking('now')}
            >
              Send it now
            </Button>
            <Button
              variant="line"
              disabled={isUnsaved || at === ''}
              aria-describedby={reason}
              onClick={() => setAsking('later')}
            >
              Schedule it
            </Button>
          </div>
          {isUnsaved && (
            <p className="small" id={reason}>
              What you changed is not saved yet, so it would not go out. Save it first.
            </p>
          )}
        </>
      )}
      {state === 'scheduled' && scheduledFor && (
        <>
          <p>
            It goes out by itself on <strong>{formatMoment(scheduledFor)}</strong>, to whoever is subscribed then;{' '}
            {people} now.
          </p>
          {button('unschedule', 'Take the schedule back', 'It is a draft again.')}
        </>
      )}
      {mailing && <Counts mailing={mailing} />}
      <div className="buttons">
        {state === 'sending' && button('pause', 'Pause', 'It is paused. What is in the mail server’s hands goes out.')}
        {state === 'paused' && button('resume', 'Go on', 'It goes on.')}
        {mailing !== null &&
          mailing.uncertain > 0 &&
          button('again', 'Send uncertain copies again', 'They are sent again.')}
      </div>
      {state === 'archived' && <p>It is in the archive and was not sent from here.</p>}
      <Dialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'again' ? 'Send uncertain copies again?' : `Send it to ${people}?`}
        width="32rem"
      >
        <p>
          {asking === 'again'
            ? `${mailing?.uncertain === 1 ? '1 copy' : `${mailing?.uncertain ?? 0} copies`} may or may not have arrived. Whoever has one may get a second.`
            : asking === 'later'
              ? 'It goes out by itself at the hour you chose, also when nobody is here. Until then you can take it back.'
              : 'It goes out at once and cannot be called back. Nobody gets it twice, and it can be read in the archive from now on.'}
        </p>
        <div className="buttons">
          {asking === 'again' ? (
            <Button onClick={() => void steer('again', 'They are sent again.')}>Send them again</Button>
          ) : (
            <Button onClick={() => void send(asking === 'later' ? at : null)}>
              {asking === 'later' ? 'Yes, schedule it' : 'Yes, send it'}
            </Button>
          )}
          <Button variant="line" onClick={() => setAsking(null)}>
            Not yet
          </Button>
        </div>
      </Dialog>
    </Sheet>
  )
}

function Counts({ mailing }: { mailing: NonNullable<NewsletterDetail['mailing']> }) {
  const { recipients, accepted, waiting, bounced, failed, uncertain, skipped, lastError } = mailing
  return (
    <>
      <progress
        className="mailing-progress"
        max={recipients}
        value={recipients - waiting}
        aria-label="Copies dealt with"
      />
      <KeyValueList
        items={[
          { label: 'Recipients', value: recipients },
          { label: 'Accepted by their mail servers', value: accepted },
          { label: 'Still to go', value: waiting },
          { label: 'No such mailbox', value: bounced },
          { label: 'Refused', value: failed },
          { label: 'Uncertain', value: uncertain },
          { label: 'Left before it was sent', value: skipped },
        ]}
      />
      {lastError && <Banner tone="warn">{lastError}</Banner>}
    </>
  )
}
