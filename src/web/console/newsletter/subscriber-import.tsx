import { useState } from 'react'
import { IMPORT_TOO_LARGE, IMPORT_MAX_BYTES } from '#contract/console/import.ts'
import { checkSubscriberFile, importSubscriberFile, type SubscriberFile } from '#contract/console/subscribers.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { showToast } from '../ui/toasts.tsx'
import { useAction } from '../shell/use-action.ts'

const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`)

/** Imports subscribers who opted in elsewhere: checks the list first, then imports it once an officer confirms their consent. */
export function SubscriberImport({ onImported }: { onImported(): void }) {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [checked, setChecked] = useState<SubscriberFile | null>(null)
  const [hasConsent, setConsent] = useState(false)

  function choose(chosen: File | null) {
    setFile(chosen)
    setProblem('')
    setChecked(null)
    setConsent(false)
  }

  async function check() {
    if (!file) return setProblem('Choose a file.')
    if (file.size > IMPORT_MAX_BYTES) return setProblem(IMPORT_TOO_LARGE)
    setProblem('')
    await action.run('check', async () => {
      try {
        setChecked(await callAsOfficer(checkSubscriberFile, { file }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblem(failure.fieldErrors?.['file'] ?? '')
        throw failure
      }
    })
  }

  async function add({ digest }: SubscriberFile) {
    if (!file) return
    const query = { filename: file.name, digest, consent: 'stated' as const }
    await action.run('import', async () => {
      const { counts } = await callAsOfficer(importSubscriberFile, { query, file })
      setChecked(null)
      showToast(`${people(counts.added)} added.`)
      onImported()
    })
  }

  return (
    <div className="flow">
      <p className="soft">
        For people who opted in elsewhere, such as at an event. The list carries the date and source of each consent as
        it was recorded; nothing is filled in.
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void check()
        }}
      >
        <p>You’ll review the list before anything is added. No one is emailed, and no one who unsubscribed is added.</p>
        {problem === '' && checked === null && <ActionMessages action={action} />}
        <Field
          label="Subscribers (CSV)"
          name="file"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          hint="Columns: email, consent date, source or evidence. A plain list of addresses, one per line, also works."
          onChange={({ target }) => choose(target.files?.[0] ?? null)}
          {...(problem && { error: problem })}
        />
        <Button type="submit" busy={action.busy === 'check'} busyLabel="Checking">
          Review
        </Button>
      </form>
      <Dialog
        open={checked !== null}
        onClose={() => setChecked(null)}
        title={checked?.counts.added ? `Add ${people(checked.counts.added)}?` : 'No one to add'}
        width="36rem"
      >
        {checked && (
          <>
            <ActionMessages action={action} />
            <Outcome file={checked} />
            {checked.counts.added > 0 && (
              <Checkbox
                name="consent"
                checked={hasConsent}
                onChange={({ target }) => setConsent(target.checked)}
                label="These people agreed to receive our newsletter, and we can prove it"
              />
            )}
            <div className="buttons">
              {checked.counts.added > 0 && (
                <Button
                  disabled={!hasConsent}
                  reason="Check the box first: the association is responsible for their consent."
                  busy={action.busy === 'import'}
                  busyLabel="Adding"
                  onClick={() => void add(checked)}
                >{`Add ${people(checked.counts.added)}`}</Button>
              )}
              <Button variant="line" onClick={() => setChecked(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </div>
  )
}

function Outcome({ file: { counts, wrong } }: { file: SubscriberFile }) {
  const { added, dated, known, suppressed } = counts
  return (
    <>
      <ul>
        {dated > 0 && <li>{people(dated)} with the date they agreed.</li>}
        {added > dated && (
          <li>
            {people(added - dated)} without that date: recorded as imported, with consent stated by the association
            today.
          </li>
        )}
        {known > 0 && <li>{people(known)} already on the list; no change.</li>}
        {suppressed > 0 && (
          <li>{people(suppressed)} who unsubscribed or whose email bounced. Only they can resubscribe.</li>
        )}
        {counts.wrong > 0 && (
          <li>{counts.wrong === 1 ? '1 line is' : `${counts.wrong.toLocaleString('en-US')} lines are`} skipped.</li>
        )}
      </ul>
      {wrong.length > 0 && (
        <details className="more-filters">
          <summary>Errors</summary>
          <ul>
            {wrong.map(({ line, cell, sentence, cure }) => (
              <li key={line}>
                Line {line}: <code className="break">{cell || '(empty)'}</code> {sentence} {cure}
              </li>
            ))}
          </ul>
          {counts.wrong > wrong.length && <p>The first {wrong.length} are shown.</p>}
        </details>
      )}
    </>
  )
}
