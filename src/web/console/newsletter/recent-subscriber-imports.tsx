import { listSubscriberImports, READER_SYSTEM_NAMES, undoSubscriberImport } from '#contract/console/subscribers.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { RecentImports } from '../ui/recent-imports.tsx'

const count = (number: number) => number.toLocaleString('en-US')

/** The imports of subscribers that can be undone. */
export function RecentSubscriberImports({ onUndone }: { onUndone(): void }) {
  const found = useLoaded(listSubscriberImports)
  const imports = found.value?.imports ?? []
  if (imports.length === 0) return null

  return (
    <section>
      <h3>Recent imports</h3>
      <RecentImports
        imports={imports}
        badge={({ system }) => system && READER_SYSTEM_NAMES[system]}
        summary={({ counts: { added, blocked, ended } }) =>
          `${count(added)} added, ${count(blocked + ended)} on the do-not-email list`
        }
        effects={
          <>
            <li>
              People it added are removed, unless they asked for the newsletter, confirmed, left or got a newsletter
              since.
            </li>
            <li>
              People it put on the do-not-email list can be added again, and those it unsubscribed are subscribed again,
              unless they left or an email bounced since, or another import lists them too.
            </li>
            <li>What was sent cannot be undone. No emails are sent now.</li>
          </>
        }
        undo={async (id) => {
          const { undone, kept } = await callAsOfficer(undoSubscriberImport, { params: { id }, body: {} })
          found.reload()
          onUndone()
          return `${count(undone)} undone${kept > 0 ? `, ${count(kept)} kept because they changed since or are in another import` : ''}.`
        }}
      />
    </section>
  )
}
