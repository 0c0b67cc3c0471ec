import { useState } from 'react'
import { closeRsvpEvent, readRsvpEvent, type RsvpEvent } from '#contract/console-rsvp.ts'
import { formatMoment } from '#contract/dates.ts'
import { contentPaths } from '#web/app/paths.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { CallOffSheet } from '#web/features/events/call-off-sheet.tsx'
import { OfferForm } from '#web/features/events/offer-form.tsx'
import { RsvpCounts, RsvpState } from '#web/features/events/rsvp-state.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** What an event offers to whoever comes, and its end. */
export default function RsvpOfferPage({ id }: { id: string }) {
  const loaded = useLoaded(id, () => callAsOfficer(readRsvpEvent, { params: { id } }))
  const action = useAction()
  // The form begins anew after what was saved here, not after what somebody else saved.
  const [savings, setSavings] = useState(0)

  function take(next: RsvpEvent, words: string) {
    loaded.setValue(next)
    setSavings((before) => before + 1)
    action.say(words)
  }

  const title = loaded.value?.event.title ?? 'RSVPs of an event'
  return (
    <ConsolePage
      title={title}
      lead={loaded.value?.event.date}
      action={
        <ButtonLink variant="line" to={`/console/rsvp/${encodeURIComponent(id)}`}>
          Door list
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="the event">
        {(found) => (
          <>
            <Sheet title="RSVPs" aside={<RsvpState state={found.event.state} />}>
              <RsvpCounts event={found.event} />
              <p className="small">
                <a href={contentPaths.event(id)}>The event’s page</a>
              </p>
              <OfferForm
                key={savings}
                found={found}
                reload={loaded.reload}
                onSaved={(next) => take(next, 'Saved. The event’s page shows it within a second.')}
              />
            </Sheet>
            <CallOffSheet found={found} onDone={take} />
            <CloseSheet
              found={found}
              isBusy={action.busy === 'close'}
              onClose={() =>
                void action.run(
                  'close',
                  async () =>
                    loaded.setValue((await callAsOfficer(closeRsvpEvent, { params: { id }, body: {} })).event),
                  'The certificates are on their way.',
                )
              }
            />
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function CloseSheet({ found, isBusy, onClose }: { found: RsvpEvent; isBusy: boolean; onClose(): void }) {
  const [isAsking, setAsking] = useState(false)
  const { closedAt, hasEnded } = found
  return (
    <Sheet title="After the event">
      <p>
        Everybody who was checked in and gave an address gets a certificate of attendance by letter, once.
        {closedAt && ` Last sent ${formatMoment(closedAt)}; whoever was checked in since gets one with the next.`}
      </p>
      <Button
        variant="line"
        disabled={!hasEnded}
        reason={hasEnded ? '' : 'The event is not over yet.'}
        busy={isBusy}
        busyLabel="Sending"
        onClick={() => setAsking(true)}
      >
        Send the certificates
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Send the certificates?" width="30rem">
        <p>
          RSVPs of this event are closed, and letters go out at once to whoever was checked in. Look through the door
          list first: a certificate cannot be called back.
        </p>
        <div className="buttons">
          <Button
            onClick={() => {
              setAsking(false)
              onClose()
            }}
          >
            Send them
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Not yet
          </Button>
        </div>
      </Dialog>
    </Sheet>
  )
}
