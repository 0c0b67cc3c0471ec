import { useState } from 'react'
import {
  listSubscriberImports,
  READER_SYSTEM_NAMES,
  undoSubscriberImport,
  type SubscriberImportLine,
} from '#contract/console/subscribers.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { showToast } from '../ui/toasts.tsx'

const count = (number: number) => number.toLocaleString('en-US')

/** The imports of the last 30 days, each with its undo. */
export function RecentSubscriberImports({ onUndone }: { onUndone(): void }) {
  const found = useLoaded(listSubscriberImports)
  const action = useAction()
  const [asked, setAsked] = useState<SubscriberImportLine | null>(null)
  const imports = found.value?.imports ?? []
  if (imports.length === 0) return null

  function undo({ id }: SubscriberImportLine) {
    setAsked(null)
    void action.run(id, async () => {
      const { undone, kept } = await callAsOfficer(undoSubscriberImport, { params: { id }, body: {} })
      showToast(
        `${count(undone)} undone${kept > 0 ? `, ${count(kept)} kept because they changed since or are in another import` : ''}.`,
      )
      found.reload()
      onUndone()
    })
  }

  return (
    <section>
      <h3>Recent imports</h3>
      <ActionMessages action={action} />
      <ul className="records">
        {imports.map((line) => (
          <li key={line.id}>
            <div>
              <p>
                {line.filename} {line.system && <Badge tone="quiet">{READER_SYSTEM_NAMES[line.system]}</Badge>}{' '}
                {line.undoneAt && <Badge tone="quiet">Undone</Badge>}
              </p>
              <p className="small soft">
                {formatMoment(line.at)} · {line.by} · {count(line.counts.added)} added,{' '}
                {count(line.counts.blocked + line.counts.ended)} on the do-not-email list
              </p>
              {line.undoneAt === null && (
                <Button
                  variant="line"
                  size="small"
                  busy={action.busy === line.id}
                  busyLabel="Undoing"
                  onClick={() => setAsked(line)}
                >
                  Undo
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <Dialog open={asked !== null} onClose={() => setAsked(null)} title="Undo this import?" width="34rem">
        <ul>
          <li>
            People it added are removed, unless they asked for the newsletter, confirmed, left or got a newsletter
            since.
          </li>
          <li>
            People it put on the do-not-email list can be added again, and those it unsubscribed are subscribed again,
            unless they left or an email bounced since, or another import lists them too.
          </li>
          <li>What was sent cannot be undone. No emails are sent now.</li>
        </ul>
        <div className="buttons">
          <Button variant="danger" onClick={() => asked && undo(asked)}>
            Undo the import
          </Button>
          <Button variant="line" onClick={() => setAsked(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </section>
  )
}
