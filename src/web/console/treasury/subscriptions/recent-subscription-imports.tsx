import {
  listSubscriptionImports,
  undoSubscriptionImport,
  type SubscriptionImportLine,
} from '#contract/console/money/subscription-imports.ts'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { RecentImports } from '#web/console/ui/recent-imports.tsx'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { subscriptionsOf } from './subscription-format.ts'

const POLL_MS = 2_000

/** The imports of subscriptions: their progress, what was not imported, and their undo. */
export function RecentSubscriptionImports() {
  const found = useLoaded(listSubscriptionImports, {}, ({ imports }) =>
    imports.some(({ waiting, undoneAt }) => waiting > 0 && undoneAt === null) ? POLL_MS : false,
  )
  const imports = found.value?.imports ?? []
  if (imports.length === 0) return null

  return (
    <Card title="Recent imports">
      <RecentImports
        imports={imports}
        summary={summaryOf}
        details={listExceptions}
        effects={
          <>
            <li>Members have the membership that they had before. Their past payments from the import are removed.</li>
            <li>Nothing is canceled or charged: the subscriptions go on at Stripe, without this site.</li>
            <li>Subscriptions that were renewed, changed or stopped since are kept, and named here.</li>
            <li>A subscription of your own account is kept: another officer undoes it.</li>
          </>
        }
        undo={async (id) => {
          const { undone, kept } = await callAsOfficer(undoSubscriptionImport, { params: { id }, body: {} })
          found.reload()
          return `${subscriptionsOf(undone)} undone${kept > 0 ? `, ${kept.toLocaleString('en-US')} kept` : ''}.`
        }}
      />
    </Card>
  )
}

/** Subscriptions that were not imported, or that an undo kept. */
function listExceptions({ exceptions }: SubscriptionImportLine) {
  if (exceptions.length === 0) return null
  return (
    <ul className="small">
      {exceptions.map(({ accountId, name, sentence }) => (
        <li key={accountId}>
          <Link to={`/console/members/${accountId}`}>{name}</Link>: {sentence}
        </li>
      ))}
    </ul>
  )
}

function summaryOf({ imported, waiting, undone, undoneAt }: SubscriptionImportLine): string {
  if (undoneAt !== null) return `${subscriptionsOf(undone)} undone`
  if (waiting > 0) return `${subscriptionsOf(imported)} imported, ${waiting.toLocaleString('en-US')} to go`
  return `${subscriptionsOf(imported)} imported`
}
