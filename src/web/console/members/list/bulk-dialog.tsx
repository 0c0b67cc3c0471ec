import { useState } from 'react'
import {
  getBulkRun,
  previewBulk,
  startBulk,
  undoBulk,
  type BulkAction,
  type BulkRun,
} from '#contract/console/people/member-bulk.ts'
import { NOTE_MAX } from '#contract/console/people/member-notes.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { WhenLoaded } from '#web/console/shell/console-page.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { SelectField } from '#web/console/forms/select-field.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { showToast } from '#web/console/ui/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field, TextArea } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'

type Selection = BodyOf<typeof previewBulk>['selection']
type Preview = ReplyOf<typeof previewBulk>

const TITLES: Record<BulkAction, string> = {
  'renewal-link': 'Send renewal link',
  'password-reset': 'Send password reset',
  complimentary: 'Grant complimentary term',
  note: 'Add note',
}

/** What happens to a number of members, as a sentence and on the button. */
function reachedText(action: BulkAction, count: number): string {
  const people = `${count.toLocaleString('en-US')} ${count === 1 ? 'member' : 'members'}`
  if (action === 'note') return `A note is added to ${people}.`
  if (action === 'complimentary') return `${people} get the term. It cannot be undone for all at once.`
  return `${people} will be emailed.`
}

interface BulkDialogProps {
  /** null: closed. */
  action: BulkAction | null
  selection: Selection
  levels: readonly { key: string; name: string }[]
  onClose(): void
  onDone(): void
}

/** Previews an action on the selected members, asks for what it needs, and shows its progress. */
export function BulkDialog({ action, selection, levels, onClose, onDone }: BulkDialogProps) {
  const [run, setRun] = useState<{ action: BulkAction; id: string } | null>(null)
  return (
    <>
      <Dialog open={action !== null} onClose={onClose} title={action ? TITLES[action] : ''} width="34rem">
        {action && (
          <BulkForm
            action={action}
            selection={selection}
            levels={levels}
            onStarted={({ id }) => {
              setRun({ action, id })
              onClose()
            }}
          />
        )}
      </Dialog>
      <Dialog open={run !== null} onClose={() => setRun(null)} title={run ? TITLES[run.action] : ''} width="30rem">
        {run && (
          <BulkProgress
            id={run.id}
            onFinished={(finished) => {
              onDone()
              if (finished.skipped.length > 0) return
              setRun(null)
              reportRun(finished, onDone)
            }}
            onClose={() => setRun(null)}
          />
        )}
      </Dialog>
    </>
  )
}

function BulkForm({
  action,
  selection,
  levels,
  onStarted,
}: Pick<BulkDialogProps, 'selection' | 'levels'> & { action: BulkAction; onStarted(run: BulkRun): void }) {
  const preview = useLoaded(previewBulk, { body: { action, selection, details: {} } })
  return (
    <WhenLoaded loaded={preview} what="what will happen">
      {(value) => (
        <>
          <p>
            <strong>{reachedText(action, value.reached)}</strong>
          </p>
          <Skipped skipped={value.skipped} />
          {value.reached > 0 && (
            <DetailsForm
              action={action}
              levels={levels}
              preview={value}
              onSend={async (details) => {
                const body = { action, selection, details, reached: value.reached }
                onStarted(await saveAsOfficer(startBulk, { body }))
              }}
            />
          )}
        </>
      )}
    </WhenLoaded>
  )
}

function Skipped({ skipped }: Pick<Preview, 'skipped'>) {
  return (
    <ul>
      {skipped.map(({ reason, count, names }) => (
        <li key={reason}>
          {count.toLocaleString('en-US')} skipped: {reason} ({names.join(', ')}
          {count > names.length && ' and others'})
        </li>
      ))}
    </ul>
  )
}

const FIELDS = { levelKey: 'Level', endsOn: 'Last day', reason: 'Reason for the audit log', text: 'Note' }

function DetailsForm({
  action,
  levels,
  preview,
  onSend,
}: {
  action: BulkAction
  levels: BulkDialogProps['levels']
  preview: Preview
  onSend(details: BodyOf<typeof startBulk>['details']): Promise<void>
}) {
  const form = useDraftForm(`bulk:${action}`, {
    fields: FIELDS,
    initial: () => ({ levelKey: levels[0]?.key ?? '' }),
    errorMessage: officerErrorMessage,
    async send({ levelKey, endsOn, reason, text }) {
      if (action === 'note') return onSend({ text })
      if (action === 'complimentary') return onSend({ levelKey, reason, ...(endsOn && { endsOn }) })
      return onSend({})
    },
  })
  const count = preview.reached.toLocaleString('en-US')
  const labels: Record<BulkAction, string> = {
    'renewal-link': `Email ${count}`,
    'password-reset': `Email ${count}`,
    complimentary: `Grant ${count} terms`,
    note: `Add ${count} notes`,
  }
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      {action === 'complimentary' && (
        <>
          <SelectField {...form.field('levelKey')} options={levels.map(({ key, name }) => [key, name] as const)} />
          <Field {...form.field('endsOn')} type="date" hint="Leave it empty for a level for life." />
          <Field {...form.field('reason')} maxLength={300} autoComplete="off" />
        </>
      )}
      {action === 'note' && (
        <TextArea
          {...form.field('text')}
          rows={3}
          maxLength={NOTE_MAX}
          hint="Officers see it, and the member can ask to read it. Don’t add health information."
        />
      )}
      {action !== 'complimentary' && action !== 'note' && (
        <p className="hint">The emails go out after 20 seconds; until then you can undo.</p>
      )}
      <Button type="submit" busy={form.isSubmitting} busyLabel="Starting">
        {labels[action]}
      </Button>
    </form>
  )
}

const POLL_MS = 500

/** How far an action is; it goes on when the dialog is closed. */
function BulkProgress({ id, onFinished, onClose }: { id: string; onFinished(run: BulkRun): void; onClose(): void }) {
  const [reported, setReported] = useState(false)
  const run = useLoaded(getBulkRun, { params: { id } }, ({ state }) => state === 'running' && POLL_MS)
  const { value } = run
  if (value && value.state !== 'running' && !reported) {
    setReported(true)
    queueMicrotask(() => onFinished(value))
  }
  return (
    <WhenLoaded loaded={run} what="the progress">
      {({ state, done, waiting, skipped }) => (
        <>
          {state === 'running' ? (
            <>
              <p role="status">
                {done.toLocaleString('en-US')} of {(done + waiting).toLocaleString('en-US')} done
              </p>
              <progress max={done + waiting} value={done} aria-label="Progress" />
              <p className="hint">You can close this; it goes on.</p>
            </>
          ) : (
            <>
              <p role="status">{doneText({ state, done })}</p>
              <Skipped skipped={skipped} />
              <div className="buttons">
                <Button onClick={onClose}>Close</Button>
                {value?.undoUntil && (
                  <Button
                    variant="line"
                    onClick={() =>
                      void callAsOfficer(undoBulk, { params: { id }, body: {} }).then(run.setValue, () => run.reload())
                    }
                  >
                    Undo
                  </Button>
                )}
              </div>
            </>
          )}
        </>
      )}
    </WhenLoaded>
  )
}

function doneText({ state, done }: Pick<BulkRun, 'state' | 'done'>): string {
  return state === 'undone' ? 'Undone.' : `${done.toLocaleString('en-US')} done.`
}

function reportRun({ id, action, done, undoUntil }: BulkRun, onUndone: () => void): void {
  const count = `${done.toLocaleString('en-US')} ${done === 1 ? 'member' : 'members'}`
  const texts: Record<BulkAction, string> = {
    'renewal-link': `Renewal link: ${count} will be emailed in a few seconds.`,
    'password-reset': `Password reset: ${count} will be emailed in a few seconds.`,
    complimentary: `Term granted to ${count}.`,
    note: `Note added to ${count}.`,
  }
  showToast(texts[action], {
    ...(undoUntil !== null && {
      undo: async () => {
        await callAsOfficer(undoBulk, { params: { id }, body: {} })
        onUndone()
      },
    }),
  })
}
