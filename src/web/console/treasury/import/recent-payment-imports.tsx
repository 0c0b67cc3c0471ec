import { useState } from 'react'
import {
  listPaymentImports,
  undoPaymentImport,
  type PaymentImportLine,
} from '#contract/console/money/payment-imports.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { showToast } from '#web/console/ui/toasts.tsx'

/** The imports of the last 30 days, each with its undo. */
export function RecentPaymentImports() {
  const found = useLoaded(listPaymentImports)
  const action = useAction()
  const [asked, setAsked] = useState<PaymentImportLine | null>(null)
  const imports = found.value?.imports ?? []
  if (imports.length === 0) return null

  function undo({ id }: PaymentImportLine) {
    setAsked(null)
    void action.run(id, async () => {
      const { removed, kept } = await callAsOfficer(undoPaymentImport, { params: { id }, body: {} })
      showToast(
        `${removed} removed${kept > 0 ? `, ${kept} kept because of what happened since or because you may not change their accounts` : ''}.`,
      )
      found.reload()
    })
  }

  return (
    <Card title="Recent imports">
      <ActionMessages action={action} />
      <ul className="records">
        {imports.map((line) => (
          <li key={line.id}>
            <div>
              <p>
                {line.filename} {line.undoneAt && <Badge tone="quiet">Undone</Badge>}
              </p>
              <p className="small soft">
                {formatMoment(line.at)} · {line.by} · {line.payments.toLocaleString('en-US')} payments
              </p>
            </div>
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
          </li>
        ))}
      </ul>
      <Dialog open={asked !== null} onClose={() => setAsked(null)} title="Undo this import?" width="34rem">
        <ul>
          <li>Its payments are removed from members’ pages, reports and the year’s totals.</li>
          <li>
            Payments that were refunded, corrected or credited since are kept, and those on a statement that was sent
            since.
          </li>
          <li>Payments of your own account are kept: another officer removes them.</li>
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
    </Card>
  )
}
