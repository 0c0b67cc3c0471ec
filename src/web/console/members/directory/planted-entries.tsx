import { useState } from 'react'
import {
  listPlantedEntries,
  removePlantedEntry,
  type PlantedEntries,
  type PlantedEntry,
} from '#contract/console/people/planted-entries.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { limits } from '#contract/limits.ts'
import { RecordValueText } from '#web/shared/member-record/record-value.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '#web/console/shell/console-page.tsx'
import { useAction, type Action } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { Drawer } from '#web/console/ui/drawer.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { CopyCheck } from './copy-check.tsx'
import { PlantedEntryForm } from './planted-entry-form.tsx'

/** Invented people in the directory for members, and the check of a text that may be a copy of it. */
export default function PlantedEntriesPage() {
  const loaded = useLoaded(listPlantedEntries)
  const action = useAction()
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<PlantedEntry | null>(null)
  const { value } = loaded
  const shown = value?.entries.filter(({ removedAt }) => removedAt === null).length ?? 0

  async function remove({ id }: PlantedEntry) {
    setRemoving(null)
    await action.run(
      'remove',
      async () => loaded.setValue(await callAsOfficer(removePlantedEntry, { params: { id } })),
      'Removed. Copies with it are still recognized.',
    )
  }

  return (
    <ConsolePage
      title="Planted entries"
      lead="Invented people in the directory for members. They are no members anywhere else; a list with them was copied from the directory."
      action={
        value && shown < limits.directory.plantedMax && <Button onClick={() => setAdding(true)}>Add an entry</Button>
      }
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="planted entries">
        {(found) => (
          <div className="stack">
            <Entries found={found} action={action} onRemove={setRemoving} />
            <CopyCheck />
          </div>
        )}
      </WhenLoaded>
      <Drawer open={isAdding && value !== null} onClose={() => setAdding(false)} title="Add a planted entry">
        {isAdding && value && (
          <PlantedEntryForm
            fields={value.fields}
            onAdded={(entries) => {
              loaded.setValue(entries)
              setAdding(false)
              action.showDone('Added. The directory for members shows it now.')
            }}
          />
        )}
      </Drawer>
      <Dialog open={removing !== null} onClose={() => setRemoving(null)} title="Remove the entry?" width="30rem">
        <p>The directory no longer shows {removing?.name}. An entry cannot be shown again; add another one instead.</p>
        <div className="buttons">
          <Button onClick={() => removing && void remove(removing)}>Remove</Button>
          <Button variant="line" onClick={() => setRemoving(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </ConsolePage>
  )
}

interface EntriesProps {
  found: PlantedEntries
  action: Action
  onRemove(entry: PlantedEntry): void
}

function Entries({ found: { entries }, action, onRemove }: EntriesProps) {
  return (
    <Panel title="Entries">
      {entries.length === 0 && <p>None yet. Add one once many members are listed; among a few it would be noticed.</p>}
      <ul className="records">
        {entries.map((entry) => (
          <li key={entry.id}>
            <div className="flow">
              <p className="break">
                <strong>{entry.name}</strong>{' '}
                <Badge tone={entry.removedAt === null ? 'ok' : 'quiet'}>
                  {entry.removedAt === null ? 'Shown' : 'Removed'}
                </Badge>
              </p>
              {entry.values.length > 0 && (
                <KeyValueList
                  items={entry.values.map(({ label, kind, value }) => ({
                    label,
                    value: <RecordValueText kind={kind} value={value} />,
                  }))}
                />
              )}
              <p className="small soft">
                Added on {formatLongDate(entry.addedAt)} by {entry.addedBy}
                {entry.removedAt !== null && `, removed on ${formatLongDate(entry.removedAt)}`}.
              </p>
              {entry.removedAt === null && (
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Remove ${entry.name}`}
                  busy={action.busy === 'remove'}
                  busyLabel="Removing"
                  onClick={() => onRemove(entry)}
                >
                  Remove
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
