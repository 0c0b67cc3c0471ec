import { useState } from 'react'
import {
  checkImport,
  IMPORT_TOO_LARGE,
  MEMBER_COLUMN_NAMES,
  MOST_IMPORT_BYTES,
  type ImportReport,
  type MemberColumn,
} from '#contract/console-import.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const COLUMNS: [MemberColumn, string][] = [
  ['email', 'one address; who has it already is changed, everybody else is new'],
  ['firstName', ''],
  ['lastName', ''],
  ['level', 'its name, such as Annual Member'],
  ['startedOn', 'a day such as 2026-03-02 or 3/2/2026'],
  ['endsOn', 'the last day; empty for a lifetime level'],
  ['username', 'may be missing: then one is made from the address'],
]

/** Sends a file to be looked at; nothing is imported by it. */
export function ImportFileForm({ onChecked }: { onChecked(report: ImportReport): void }) {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')

  async function send() {
    if (!file) return setProblem('Please choose a file')
    if (file.size > MOST_IMPORT_BYTES) return setProblem(IMPORT_TOO_LARGE)
    setProblem('')
    await action.run('check', async () => {
      try {
        onChecked(await callAsOfficer(checkImport, { query: { filename: file.name }, file }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblem(failure.errors?.['file'] ?? '')
        throw failure
      }
    })
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p>
        First you see what the file would do, row by row. Nothing is imported and nobody is written to until you say so.
      </p>
      {problem === '' && <ActionMessages action={action} />}
      <Field
        label="List of members, as CSV"
        name="file"
        type="file"
        accept=".csv,.txt,text/csv"
        hint="Up to 2 MB and 10,000 rows. In Excel or Numbers: save as CSV. Commas or semicolons, both are read."
        onChange={({ target }) => {
          setFile(target.files?.[0] ?? null)
          setProblem('')
        }}
        {...(problem && { error: problem })}
      />
      <Button type="submit" busy={action.busy !== null} busyLabel="Looking at the file">
        Look at the file
      </Button>
      <details className="more-filters">
        <summary>What the columns are called</summary>
        <p>The first line names the columns, in any order. Other columns are passed over.</p>
        <dl className="import-columns">
          {COLUMNS.map(([column, words]) => (
            <div key={column}>
              <dt>{MEMBER_COLUMN_NAMES[column]}</dt>
              <dd>
                <code>{column}</code>
                {words && <span className="soft">{words}</span>}
              </dd>
            </div>
          ))}
        </dl>
        <p className="soft small">
          “Save as CSV” on the page of the members writes such a file. Imported again as it is, it changes nothing.
        </p>
      </details>
    </form>
  )
}
