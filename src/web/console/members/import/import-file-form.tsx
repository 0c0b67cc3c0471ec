import { useState } from 'react'
import {
  checkImport,
  IMPORT_TOO_LARGE,
  MEMBER_COLUMN_NAMES,
  IMPORT_MAX_BYTES,
  type ImportReport,
  type MemberColumn,
} from '#contract/console/import.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

const COLUMNS: [MemberColumn, string][] = [
  ['email', 'one address; matches an existing member, or adds a new one'],
  ['firstName', ''],
  ['lastName', ''],
  ['level', 'the name, such as Annual Member'],
  ['startedOn', 'a date such as 2026-03-02 or 3/2/2026'],
  ['endsOn', 'the last day; empty for a lifetime level'],
  ['username', 'optional; derived from the email address'],
]

/** Uploads a file for review; imports nothing. */
export function ImportFileForm({ onChecked }: { onChecked(report: ImportReport): void }) {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')

  async function send() {
    if (!file) return setProblem('Choose a file.')
    if (file.size > IMPORT_MAX_BYTES) return setProblem(IMPORT_TOO_LARGE)
    setProblem('')
    await action.run('check', async () => {
      try {
        onChecked(await callAsOfficer(checkImport, { query: { filename: file.name }, file }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblem(failure.fieldErrors?.['file'] ?? '')
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
      <p>You’ll review every row first. Nothing is imported and no one is emailed until you confirm.</p>
      {problem === '' && <ActionMessages action={action} />}
      <Field
        label="Members (CSV)"
        name="file"
        type="file"
        accept=".csv,.txt,text/csv"
        hint="Up to 2 MB and 10,000 rows. In Excel or Numbers, save as CSV. Commas and semicolons both work."
        onChange={({ target }) => {
          setFile(target.files?.[0] ?? null)
          setProblem('')
        }}
        {...(problem && { error: problem })}
      />
      <Button type="submit" busy={action.busy !== null} busyLabel="Checking">
        Review
      </Button>
      <details className="more-filters">
        <summary>Column names</summary>
        <p>The first row names the columns, in any order. Other columns are ignored.</p>
        <dl className="import-columns">
          {COLUMNS.map(([column, text]) => (
            <div key={column}>
              <dt>{MEMBER_COLUMN_NAMES[column]}</dt>
              <dd>
                <code>{column}</code>
                {text && <span className="soft">{text}</span>}
              </dd>
            </div>
          ))}
        </dl>
        <p className="soft small">
          “Export” on the Members page writes this format. Importing that file unchanged changes nothing.
        </p>
      </details>
    </form>
  )
}
