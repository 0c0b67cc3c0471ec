import { listPaymentImports, undoPaymentImport } from '#contract/console/money/payment-imports.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { RecentImports } from '#web/console/ui/recent-imports.tsx'
import { Card } from '#web/ui/card.tsx'

/** The imports of past payments that can be undone. */
export function RecentPaymentImports() {
  const found = useLoaded(listPaymentImports)
  const imports = found.value?.imports ?? []
  if (imports.length === 0) return null

  return (
    <Card title="Recent imports">
      <RecentImports
        imports={imports}
        summary={({ payments }) => `${payments.toLocaleString('en-US')} payments`}
        effects={
          <>
            <li>Its payments are removed from members’ pages, reports and the year’s totals.</li>
            <li>
              Payments that were refunded, corrected or credited since are kept, and those on a statement that was sent
              since.
            </li>
            <li>Payments of your own account are kept: another officer removes them.</li>
          </>
        }
        undo={async (id) => {
          const { removed, kept } = await callAsOfficer(undoPaymentImport, { params: { id }, body: {} })
          found.reload()
          return `${removed} removed${kept > 0 ? `, ${kept} kept because of what happened since or because you may not change their accounts` : ''}.`
        }}
      />
    </Card>
  )
}
