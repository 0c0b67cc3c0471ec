import { useState } from 'react'
import { closeRsvpEvent, readRsvpEvent, type RsvpEvent } from '#contract/console/rsvp.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { CancelEventCard } from './cancel-event-card.tsx'
import { RsvpSettingsForm } from './rsvp-settings-form.tsx'
import { TicketKindsPanel } from './tickets/ticket-kinds-panel.tsx'
import { EventPage } from './event/event-page.tsx'
import { RsvpCounts, RsvpState } from './rsvp-state.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Panel } from '../ui/panel.tsx'

/** An event's RSVP settings, its cancellation and its attendance certificates. */
export default function RsvpSettingsPage({ id }: { id: string }) {
  const loaded = useLoaded(readRsvpEvent, { params: { id } })
  const action = useAction()

  return (
    <EventPage id={id} tab="rsvps">
      {(head) => {
        function update(next: RsvpEvent, message: string) {
          loaded.setValue(next)
          // The head says whether the event takes place.
          head.reload()
          action.showDone(message)
        }
        return (
          <>
            <ActionMessages action={action} />
            <WhenLoaded loaded={loaded} what="the event">
              {(found) => (
                <>
                  <Panel title="RSVPs and tickets" action={<RsvpState state={found.event.state} />}>
                    <RsvpCounts event={found.event} />
                    <RsvpSettingsForm found={found} onSaved={(next) => update(next, 'Saved. The change is live.')} />
                  </Panel>
                  <TicketKindsPanel found={found} onSaved={update} />
                  <CancelEventCard found={found} onDone={update} />
                  <CertificatesCard
                    found={found}
                    isBusy={action.busy === 'close'}
                    onClose={() =>
                      void action.run(
                        'close',
                        async () =>
                          loaded.setValue((await callAsOfficer(closeRsvpEvent, { params: { id }, body: {} })).event),
                        'Certificates are being sent.',
                      )
                    }
                  />
                </>
              )}
            </WhenLoaded>
          </>
        )
      }}
    </EventPage>
  )
}

function CertificatesCard({ found, isBusy, onClose }: { found: RsvpEvent; isBusy: boolean; onClose(): void }) {
  const [isConfirming, setConfirming] = useState(false)
  const { closedAt, hasEnded } = found
  return (
    <Panel title="After the event">
      <p>
        Email a certificate of attendance to every guest who was checked in and has an email address. Each guest gets it
        once.
        {closedAt &&
          ` Last sent ${formatMoment(closedAt)}; guests checked in since then get theirs with the next batch.`}
      </p>
      <Button
        variant="line"
        disabled={!hasEnded}
        reason={hasEnded ? '' : 'The event has not ended yet.'}
        busy={isBusy}
        busyLabel="Sending"
        onClick={() => setConfirming(true)}
      >
        Send certificates
      </Button>
      <Dialog open={isConfirming} onClose={() => setConfirming(false)} title="Send certificates?" width="30rem">
        <p>
          This closes RSVPs and emails every guest who was checked in. Review the check-in list first: this cannot be
          undone.
        </p>
        <div className="buttons">
          <Button
            onClick={() => {
              setConfirming(false)
              onClose()
            }}
          >
            Send
          </Button>
          <Button variant="line" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Panel>
  )
}
