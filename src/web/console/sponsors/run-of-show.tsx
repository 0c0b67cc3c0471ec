import { useEffect, useState } from 'react'
import { getRunOfShow, saveRunOfShow, timesOfRun, type RunItem, type RunOfShow } from '#contract/console-sponsors.ts'
import { writeDay } from '#contract/days.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { findTyped, keepTyped } from '#web/features/console/kept.ts'
import { RunItemForm } from '#web/features/console/run-item-form.tsx'
import { RunOrder } from '#web/features/console/run-order.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** Who speaks on a day: an order that adds up the minutes, to be changed by buttons and printed. */
export default function RunOfShowPage({ id: day }: { id: string }) {
  const found = useLoaded(day, () => callAsOfficer(getRunOfShow, { params: { day } }))
  return (
    <ConsolePage
      title={/^\d{4}-\d\d-\d\d$/.test(day) ? `Run of show, ${writeDay(day)}` : 'Run of show'}
      action={
        <div className="buttons no-print">
          <ButtonLink variant="line" to="/console/run-of-show">
            All days
          </ButtonLink>
          <Button variant="line" onClick={() => window.print()}>
            Print
          </Button>
        </div>
      }
    >
      <WhenLoaded loaded={found} what="the run of show">
        {(run) => <Editor run={run} onSaved={found.setValue} reload={found.reload} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

/** An order that is not saved, with the version it was begun on. */
interface Begun extends Pick<RunOfShow, 'startsAt' | 'items'> {
  version: number
}

function Editor({ run, onSaved, reload }: { run: RunOfShow; onSaved(run: RunOfShow): void; reload(): void }) {
  const record = `run:${run.day}`
  const [begun, setBegun] = useState(() => findTyped(record) as Begun | null)
  const action = useAction()
  const { startsAt, items } = begun ?? run
  const { endsAt, total } = timesOfRun(startsAt, items)
  const waiting = [...run.waiting, ...run.items.filter(({ sponsorshipId }) => sponsorshipId !== null)].filter(
    ({ sponsorshipId }) => !items.some((item) => item.sponsorshipId === sponsorshipId),
  )
  const isChanged = startsAt !== run.startsAt || JSON.stringify(items) !== JSON.stringify(run.items)
  const isOvertaken = isChanged && begun !== null && begun.version !== run.version
  const unsaved = isChanged ? begun : null

  // What is not saved outlives a closed tab.
  useEffect(() => keepTyped(record, unsaved), [record, unsaved])

  function change(part: Partial<Begun>) {
    setBegun((before) => ({ ...(before ?? { startsAt, items, version: run.version }), ...part }))
  }
  const setItems = (next: RunItem[]) => change({ items: next })

  async function save() {
    const body = { startsAt, items, version: run.version }
    await action.run(
      'save',
      async () => {
        const saved = await callAsOfficer(saveRunOfShow, { params: { day: run.day }, body })
        setBegun((now) => (now === begun || now === null ? null : { ...now, version: saved.version }))
        onSaved(saved)
      },
      'It is saved.',
    )
  }

  return (
    <>
      <ActionMessages action={action} />
      {action.failure && (
        <Button variant="line" size="small" onClick={reload}>
          Look at what it says now
        </Button>
      )}
      {isOvertaken && <Theirs run={run} onTake={() => setBegun(null)} />}
      <Sheet>
        <div className="run-head">
          <Field
            label="Begins at"
            name="startsAt"
            type="time"
            value={startsAt}
            readOnly={!run.mayChange}
            onChange={(event) => change({ startsAt: event.target.value })}
          />
          <p aria-live="polite">
            <strong>{total === 1 ? '1 minute' : `${total} minutes`}</strong> in all, over at {endsAt}
          </p>
        </div>
        <RunOrder items={items} startsAt={startsAt} onChange={run.mayChange ? setItems : null} />
      </Sheet>
      {run.mayChange && (
        <>
          <div className="buttons no-print">
            <Button busy={action.busy === 'save'} busyLabel="Saving" disabled={!isChanged} onClick={() => void save()}>
              Save
            </Button>
            {isChanged && <p role="status">There are changes that are not saved yet.</p>}
          </div>
          <div className="no-print flow">
            <Waiting waiting={waiting} onAdd={(item) => setItems([...items, item])} />
            <RunItemForm day={run.day} onAdd={(item) => setItems([...items, item])} />
          </div>
        </>
      )}
    </>
  )
}

/** What somebody else saved after this order was begun. */
function Theirs({ run: { startsAt, items }, onTake }: { run: RunOfShow; onTake(): void }) {
  return (
    <div role="group" aria-label="It says now" className="no-print">
      <Banner tone="warn" title="Somebody else saved this meanwhile">
        <p>It begins at {timesOfRun(startsAt, []).endsAt}. Saving yours replaces this order:</p>
        <ol>
          {items.map((item, index) => (
            <li key={index}>
              {item.title}, {item.minutes} min
            </li>
          ))}
        </ol>
        <Button variant="line" size="small" onClick={onTake}>
          Take theirs
        </Button>
      </Banner>
    </div>
  )
}

function Waiting({ waiting, onAdd }: { waiting: readonly RunItem[]; onAdd(item: RunItem): void }) {
  if (waiting.length === 0)
    return <Banner tone="note">Every sponsor who was promised remarks has a place, here or on another day.</Banner>
  return (
    <Sheet title="Promised remarks that have no place yet">
      <ul className="promises">
        {waiting.map((item) => (
          <li key={item.sponsorshipId}>
            <span>
              {item.title}, {item.minutes} min
            </span>
            <Button variant="line" size="small" aria-label={`Add ${item.title}`} onClick={() => onAdd(item)}>
              Add
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
