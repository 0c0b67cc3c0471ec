import {
  getRunOfShow,
  saveRunOfShow,
  runOfShowTimes,
  type RunItem,
  type RunOfShow,
} from '#contract/console/sponsors.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useDraft } from '../forms/use-draft.ts'
import { RunItemForm } from './run-item-form.tsx'
import { RunOrder } from './run-order.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Card } from '#web/ui/card.tsx'

/** The order of speakers on a day, with the total time; can be reordered and printed. */
export default function RunOfShowPage({ day }: { day: string }) {
  const found = useLoaded(getRunOfShow, { params: { day } })
  return (
    <ConsolePage
      title={/^\d{4}-\d\d-\d\d$/.test(day) ? `Run of show, ${formatDay(day)}` : 'Run of show'}
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

type Order = Pick<RunOfShow, 'startsAt' | 'items'>

function Editor({ run, onSaved, reload }: { run: RunOfShow; onSaved(run: RunOfShow): void; reload(): void }) {
  const action = useAction()
  const draft = useDraft(`run:${run.day}`, {
    saved: savedOf(run),
    readEarlier,
    editor: {
      changedFields: (now, saved) => [
        ...(now.startsAt === saved.startsAt ? [] : ['Starts at']),
        ...(JSON.stringify(now.items) === JSON.stringify(saved.items) ? [] : ['Order']),
      ],
      isSaving: action.busy === 'save',
      save: () => void save(),
    },
  })
  const { value } = draft
  const { startsAt, items } = value
  const { endsAt, total } = runOfShowTimes(startsAt, items)
  const waiting = [...run.waiting, ...run.items.filter(({ sponsorshipId }) => sponsorshipId !== null)].filter(
    ({ sponsorshipId }) => !items.some((item) => item.sponsorshipId === sponsorshipId),
  )
  const change = (part: Partial<Order>) => draft.change((before) => ({ ...before, ...part }))
  const setItems = (next: RunItem[]) => change({ items: next })

  async function save() {
    const body = { startsAt, items, version: run.version }
    await action.run(
      'save',
      async () => {
        const saved = await callAsOfficer(saveRunOfShow, { params: { day: run.day }, body })
        draft.applySaved(value, savedOf(saved))
        onSaved(saved)
      },
      'Saved.',
    )
  }

  return (
    <>
      <ActionMessages action={action} />
      {action.failure && (
        <Button variant="line" size="small" onClick={reload}>
          Reload
        </Button>
      )}
      {draft.hasConflict && <ConflictBanner run={run} onTake={draft.discard} />}
      <Card>
        <div className="run-head">
          <Field
            label="Starts at"
            name="startsAt"
            type="time"
            value={startsAt}
            readOnly={!run.mayChange}
            onChange={(event) => change({ startsAt: event.target.value })}
          />
          <p aria-live="polite">
            <strong>{total === 1 ? '1 minute' : `${total} minutes`}</strong> in total, ends at {endsAt}
          </p>
        </div>
        <RunOrder items={items} startsAt={startsAt} onChange={run.mayChange ? setItems : null} />
      </Card>
      {run.mayChange && (
        <div className="no-print flow">
          <Unscheduled waiting={waiting} onAdd={(item) => setItems([...items, item])} />
          <RunItemForm day={run.day} onAdd={(item) => setItems([...items, item])} />
        </div>
      )}
    </>
  )
}

function savedOf({ version, startsAt, items }: RunOfShow): { version: number; value: Order } {
  return { version, value: { startsAt, items } }
}

/** Earlier releases stored the order beside its version. */
function readEarlier(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('version' in stored && 'items' in stored)) return undefined
  const { version, ...value } = stored
  return { version, value }
}

/** The newer version another officer saved. */
function ConflictBanner({ run: { startsAt, items }, onTake }: { run: RunOfShow; onTake(): void }) {
  return (
    <div role="group" aria-label="Newer version" className="no-print">
      <Banner tone="warn" title="Another officer saved a newer version">
        <p>It starts at {runOfShowTimes(startsAt, []).endsAt}. Saving your version replaces this order:</p>
        <ol>
          {items.map((item, index) => (
            <li key={index}>
              {item.title}, {item.minutes} min
            </li>
          ))}
        </ol>
        <Button variant="line" size="small" onClick={onTake}>
          Use theirs
        </Button>
      </Banner>
    </div>
  )
}

function Unscheduled({ waiting, onAdd }: { waiting: readonly RunItem[]; onAdd(item: RunItem): void }) {
  if (waiting.length === 0)
    return <Banner tone="note">Every sponsor with remarks is scheduled, here or on another day.</Banner>
  return (
    <Card title="Sponsor remarks not scheduled yet">
      <ul className="benefits">
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
    </Card>
  )
}
