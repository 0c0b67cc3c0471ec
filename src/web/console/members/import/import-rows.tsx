import { useRef, useState } from 'react'
import {
  CHANGED_ROWS_SHOWN,
  correctImportRow,
  exportInvalidRows,
  importColumnName,
  INVALID_ROWS_SHOWN,
  type ImportReport,
} from '#contract/console/import.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { showToast } from '#web/console/ui/toasts.tsx'
import { useNextFocus } from '#web/console/ui/use-next-focus.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/console/ui/panel.tsx'

/** Rows with errors: line, value, error and how to fix it. */
export function WrongRows({ report, onChanged }: { report: ImportReport; onChanged(report: ImportReport): void }) {
  const { id, counts, wrong, state } = report
  const action = useAction()
  const table = useRef<HTMLTableElement>(null)
  const moveFocus = useNextFocus(report)

  function correct(line: number, body: BodyOf<typeof correctImportRow>) {
    void action.run(`${line}`, async () => {
      const next = await saveAsOfficer(correctImportRow, { params: { id, line: String(line) }, body })
      // The corrected row goes away: the keyboard goes on at the next one.
      moveFocus(() => table.current?.querySelector('input'))
      onChanged(next)
      const isWrong = next.wrong.some((row) => row.line === line)
      showToast(isWrong ? `Line ${line} was changed, and still has an error.` : `Line ${line} has no errors now.`)
    })
  }

  if (counts.wrong === 0) return null
  return (
    <Panel
      title={counts.wrong === 1 ? '1 row with errors' : `${counts.wrong.toLocaleString('en-US')} rows with errors`}
      action={
        state !== 'running' && (
          <Button
            variant="line"
            size="small"
            busy={action.busy !== null}
            busyLabel="Exporting"
            onClick={() =>
              void action.run(
                'save',
                async () => downloadFile(await callAsOfficer(exportInvalidRows, { params: { id } }), 'wrong-rows.csv'),
                'The file has these rows with their errors. Fix them there and import the file again.',
              )
            }
          >
            Export these rows
          </Button>
        )
      }
    >
      <ActionMessages action={action} />
      <table className="console-table as-list import-wrong" ref={table}>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Column</th>
            <th scope="col">Error and fix</th>
          </tr>
        </thead>
        <tbody>
          {wrong.flatMap(({ line, email, faults }) =>
            faults.map(({ column, cell, sentence, cure }, index) => (
              <tr key={`${line} ${index}`}>
                <th scope="row">
                  Line {line}
                  {email && <span className="import-email soft">{email}</span>}
                </th>
                <td data-label="Column">{column ? importColumnName(column, report) : 'Whole row'}</td>
                <td data-label="Error and fix">
                  <div>
                    {state === 'checked' &&
                    column &&
                    report.columns.filter((one) => one.column === column).length === 1 ? (
                      <CellForm
                        key={cell}
                        label={`${importColumnName(column, report)} in line ${line}`}
                        cell={cell}
                        isBusy={action.busy === `${line}`}
                        onCorrect={(after) => correct(line, { column, before: cell, after })}
                      />
                    ) : (
                      cell && (
                        <p>
                          <code className="break">{cell}</code>
                        </p>
                      )
                    )}
                    <p>
                      {sentence} <span className="soft">{cure}</span>
                    </p>
                  </div>
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      {counts.wrong > wrong.length && <p>Showing the first {INVALID_ROWS_SHOWN}; the file has all of them.</p>}
    </Panel>
  )
}

/** A cell of the file, corrected in place. */
function CellForm({
  label,
  cell,
  isBusy,
  onCorrect,
}: {
  label: string
  cell: string
  isBusy: boolean
  onCorrect(after: string): void
}) {
  const [value, setValue] = useState(cell)
  return (
    <form
      className="import-cell"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (value !== cell) onCorrect(value)
      }}
    >
      <input
        className="input"
        aria-label={label}
        value={value}
        maxLength={2_000}
        autoComplete="off"
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit" variant="line" size="small" busy={isBusy} busyLabel="Checking" disabled={value === cell}>
        Correct
      </Button>
    </form>
  )
}

/** Changes to existing members. */
export function ChangedRows({ report }: { report: ImportReport }) {
  const { changed, counts, state } = report
  if (changed.length === 0) return null
  const people = counts.changed === 1 ? '1 person' : `${counts.changed.toLocaleString('en-US')} people`
  return (
    <Panel title={`${people} ${state === 'done' ? 'changed' : 'would change'}`}>
      <ul className="records">
        {changed.map(({ line, email, changes }) => (
          <li key={line}>
            <div>
              <p>
                {email} <span className="small soft">line {line}</span>
              </p>
              <ul className="import-changes">
                {changes.map(({ column, before, after }) => (
                  <li key={column}>
                    {importColumnName(column, report)}: <del>{before || 'nothing'}</del> becomes{' '}
                    <ins>{after || 'nothing'}</ins>
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
      {counts.changed > changed.length && <p>Showing the first {CHANGED_ROWS_SHOWN}.</p>}
    </Panel>
  )
}
