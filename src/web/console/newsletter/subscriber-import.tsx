import { useState } from 'react'
import { IMPORT_TOO_LARGE, MOST_IMPORT_BYTES } from '#contract/console-import.ts'
import { checkReaders, importReaders, type ReaderFile } from '#contract/console-newsletter.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { ActionMessages } from './action-messages.tsx'
import { callAsOfficer } from './console-door.ts'
import { useAction } from './use-action.ts'

const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`)

/** Adds people who agreed elsewhere: a list is looked at first, and imported once an officer states their consent. */
export function ReaderImport({ onImported }: { onImported(): void }) {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [looked, setLooked] = useState<ReaderFile | null>(null)
  const [hasConsent, setConsent] = useState(false)

  function choose(chosen: File | null) {
    setFile(chosen)
    setProblem('')
    setLooked(null)
    setConsent(false)
  }

  async function look() {
    if (!file) return setProblem('Please choose a file')
    if (file.size > MOST_IMPORT_BYTES) return setProblem(IMPORT_TOO_LARGE)
    setProblem('')
    await action.run('check', async () => {
      try {
        setLooked(await callAsOfficer(checkReaders, { file }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblem(failure.errors?.['file'] ?? '')
        throw failure
      }
    })
  }

  async function add({ digest }: ReaderFile) {
    if (!file) return
    const query = { filename: file.name, digest, consent: 'stated' as const }
    await action.run('import', async () => {
      const { counts } = await callAsOfficer(importReaders, { query, file })
      setLooked(null)
      action.say(`${people(counts.added)} added.`)
      onImported()
    })
  }

  return (
    <details className="sheet more-filters">
      <summary>Import a list of people who agreed elsewhere</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void look()
        }}
      >
        <p>
          First you see what the list would add. Nobody gets an email about it, and nobody who asked not to be written
          to is added.
        </p>
        {problem === '' && looked === null && <ActionMessages action={action} />}
        <Field
          label="List of people, as CSV"
          name="file"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          hint="Columns: email, consent date, source or evidence. Bare addresses, one a line, are read too."
          onChange={({ target }) => choose(target.files?.[0] ?? null)}
          {...(problem && { error: problem })}
        />
        <Button type="submit" busy={action.busy === 'check'} busyLabel="Looking at the list">
          Look at the list
        </Button>
      </form>
      <Dialog
        open={looked !== null}
        onClose={() => setLooked(null)}
        title={looked?.counts.added ? `Add ${people(looked.counts.added)}?` : 'Nobody to add'}
        width="36rem"
      >
        {looked && (
          <>
            <ActionMessages action={action} />
            <Outcome file={looked} />
            {looked.counts.added > 0 && (
              <Checkbox
                name="consent"
                checked={hasConsent}
                onChange={({ target }) => setConsent(target.checked)}
                label="These people agreed to get our newsletter, and we can show it"
              />
            )}
            <div className="buttons">
              {looked.counts.added > 0 && (
                <Button
                  disabled={!hasConsent}
                  reason="Tick the box first: the association answers for their consent."
                  busy={action.busy === 'import'}
                  busyLabel="Adding"
                  onClick={() => void add(looked)}
                >{`Add ${people(looked.counts.added)}`}</Button>
              )}
              <Button variant="line" onClick={() => setLooked(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </details>
  )
}

function Outcome({ file: { counts, wrong } }: { file: ReaderFile }) {
  const { added, dated, known, suppressed } = counts
  return (
    <>
      <ul>
        {dated > 0 && <li>{people(dated)} with the day on which they agreed.</li>}
        {added > dated && (
          <li>
            {people(added - dated)} without that day: recorded as imported, with the consent stated by the association
            today.
          </li>
        )}
        {known > 0 && <li>{people(known)} on the list already, who stay as they are.</li>}
        {suppressed > 0 && (
          <li>
            {people(suppressed)} who asked not to be written to, or whose email came back. Only their own confirmation
            brings them back.
          </li>
        )}
        {counts.wrong > 0 && (
          <li>{counts.wrong === 1 ? '1 line is' : `${counts.wrong.toLocaleString('en-US')} lines are`} left out.</li>
        )}
      </ul>
      {wrong.length > 0 && (
        <details className="more-filters">
          <summary>What is wrong with them</summary>
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
