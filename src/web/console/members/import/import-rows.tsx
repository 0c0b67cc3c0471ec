import {
  CHANGED_ROWS_SHOWN,
  exportInvalidRows,
  importColumnName,
  INVALID_ROWS_SHOWN,
  type ImportReport,
} from '#contract/console/import.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/console/ui/panel.tsx'

/** Rows with errors: line, value, error and how to fix it. */
export function WrongRows({ report }: { report: ImportReport }) {
  const { id, counts, wrong, state } = report
  const action = useAction()
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
      <table className="console-table as-list import-wrong">
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
                    {cell && (
                      <p>
                        <code className="break">{cell}</code>
                      </p>
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
