import {
  CHANGED_ROWS_SHOWN,
  getWrongRows,
  MEMBER_COLUMN_NAMES,
  WRONG_ROWS_SHOWN,
  type ImportReport,
  type MemberColumn,
} from '#contract/console-import.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { saveFile } from '#web/features/console/save-file.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** Each wrong row with its line, what stands there, what is wrong and what to do. */
export function WrongRows({ report: { id, counts, wrong, state } }: { report: ImportReport }) {
  const action = useAction()
  if (counts.wrong === 0) return null
  return (
    <Sheet
      title={counts.wrong === 1 ? '1 wrong row' : `${counts.wrong.toLocaleString('en-US')} wrong rows`}
      aside={
        state !== 'running' && (
          <Button
            variant="line"
            size="small"
            busy={action.busy !== null}
            busyLabel="Making the file"
            onClick={() =>
              void action.run(
                'save',
                async () => saveFile(await callAsOfficer(getWrongRows, { params: { id } }), 'wrong-rows.csv'),
                'The file has these rows as they are, each with what is wrong. Put them right there and choose it again.',
              )
            }
          >
            Save them as CSV
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
            <th scope="col">What is wrong, and what to do</th>
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
                <td data-label="Column">{column ? MEMBER_COLUMN_NAMES[column] : 'The whole row'}</td>
                <td data-label="What is wrong">
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
      {counts.wrong > wrong.length && <p>The first {WRONG_ROWS_SHOWN} are shown; the file has all of them.</p>}
    </Sheet>
  )
}

/** What would become different about whom is there already. */
export function ChangedRows({ report: { changed, counts, state } }: { report: ImportReport }) {
  if (changed.length === 0) return null
  const people = counts.changed === 1 ? '1 person' : `${counts.changed.toLocaleString('en-US')} people`
  return (
    <Sheet title={`${people} ${state === 'done' ? 'changed' : 'would change'}`}>
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
                    {MEMBER_COLUMN_NAMES[column]}: <del>{before || 'nothing'}</del> becomes{' '}
                    <ins>{after || 'nothing'}</ins>
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
      {counts.changed > changed.length && <p>The first {CHANGED_ROWS_SHOWN} are shown.</p>}
    </Sheet>
  )
}

/** Which column was taken for which. */
export function ImportColumns({ report: { columns } }: { report: ImportReport }) {
  const known = columns.flatMap(({ heading, column }) => (column ? [{ heading, column }] : []))
  const passedOver = columns.filter(({ column }) => column === null).map(({ heading }) => heading || '(no name)')
  return (
    <Sheet title="Columns">
      <dl className="import-columns">
        {known.map(({ heading, column }: { heading: string; column: MemberColumn }) => (
          <div key={column}>
            <dt>{heading}</dt>
            <dd>is read as {MEMBER_COLUMN_NAMES[column]}</dd>
          </div>
        ))}
      </dl>
      {passedOver.length > 0 && <p className="soft">Passed over: {passedOver.join(', ')}.</p>}
    </Sheet>
  )
}
