import { useState } from 'react'
import {
  chooseImportColumns,
  MEMBER_COLUMN_NAMES,
  OWN_COLUMNS,
  importColumnName,
  type ImportColumn,
  type ImportReport,
} from '#contract/console/import.ts'
import { IMPORT_SYSTEM_NAMES, IMPORT_SYSTEMS, type ImportSystem } from '#contract/console/people/import-systems.ts'
import { SelectField } from '#web/console/forms/select-field.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'

type Columns = (ImportColumn | null)[]

/** Which column of the file is which field; chosen before the import, and stored for the next file with these headings. */
export function ImportColumns({ report, onChanged }: { report: ImportReport; onChanged(report: ImportReport): void }) {
  const { id, columns, fields, missing, state } = report
  const saved: Columns = columns.map(({ column }) => column)
  const [draft, setDraft] = useState<Columns | null>(null)
  const [start, setStart] = useState<string | null>(null)
  const action = useAction()
  if (state !== 'checked') return <MatchedColumns report={report} />

  const chosen = draft ?? saved
  const needsStart = !chosen.includes('startedOn')
  const startsOn = start ?? report.startsOn ?? ''
  const isChanged =
    chosen.some((column, index) => column !== saved[index]) || (needsStart && startsOn !== (report.startsOn ?? ''))
  const names = missing.map((column) => MEMBER_COLUMN_NAMES[column])

  const options = [...OWN_COLUMNS, ...fields.map((field) => field.column)]

  function choose(index: number, column: ImportColumn | null) {
    // A field has one column: the one that had it becomes ignored. Several can have a status.
    const isFreed = (one: ImportColumn | null) => column !== null && column !== 'status' && one === column
    setDraft(chosen.map((one, at) => (at === index ? column : isFreed(one) ? null : one)))
  }

  function chooseSystem(system: ImportSystem | null) {
    void action.run('columns', async () => {
      onChanged(await saveAsOfficer(chooseImportColumns, { params: { id }, body: { system } }))
      setDraft(null)
      setStart(null)
    })
  }

  return (
    <Panel title="Columns" isFlush>
      <div className="box-body">
        <ActionMessages action={action} />
        {names.length > 0 && (
          <Banner tone="warn" title={`Choose the column for ${names.join(', ')}`}>
            <p>Nothing can be imported until every field has a column, except the username and the first day.</p>
          </Banner>
        )}
        <SelectField
          label="Exported from"
          name="system"
          hint="As recognized by the headings. Another choice assigns the columns again."
          value={report.system ?? ''}
          error={undefined}
          onChange={({ currentTarget }) =>
            chooseSystem(IMPORT_SYSTEMS.find((one) => one === currentTarget.value) ?? null)
          }
          options={[
            ['', 'Another system, or a spreadsheet'],
            ...IMPORT_SYSTEMS.map((one) => [one, IMPORT_SYSTEM_NAMES[one]] as const),
          ]}
        />
        <p className="soft">
          Choose what each column of the file is. The next file with these headings starts with it.
        </p>
      </div>
      <table className="data-table unfolded import-mapping">
        <caption className="visually-hidden">Columns of the file</caption>
        <thead>
          <tr>
            <th scope="col">Column of the file</th>
            <th scope="col">First row</th>
            <th scope="col">Imported as</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ heading, sample }, index) => (
            <tr key={`${index} ${heading}`}>
              <th scope="row">{heading || '(no name)'}</th>
              <td className="soft" data-label="First row">
                {sample || '–'}
              </td>
              <td>
                <select
                  className="input"
                  aria-label={`Import ${heading || `column ${index + 1}`} as`}
                  value={chosen[index] ?? ''}
                  onChange={({ target }) => choose(index, options.find((column) => column === target.value) ?? null)}
                >
                  <option value="">Not imported</option>
                  {options.map((column) => (
                    <option key={column} value={column}>
                      {importColumnName(column, report)}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {needsStart && (
        <div className="box-body import-start">
          <Field
            label={`${MEMBER_COLUMN_NAMES.startedOn}, for all rows`}
            name="startsOn"
            type="date"
            hint="No column has the first day. New members begin on this one; members who are known keep theirs."
            value={startsOn}
            onChange={({ target }) => setStart(target.value)}
          />
        </div>
      )}
      {isChanged && (
        <div className="box-body">
          <div className="buttons">
            <Button
              variant="line"
              busy={action.busy !== null}
              busyLabel="Checking"
              onClick={() =>
                void action.run('columns', async () => {
                  const body = { columns: chosen, ...(needsStart && startsOn !== '' && { startsOn }) }
                  onChanged(await saveAsOfficer(chooseImportColumns, { params: { id }, body }))
                  setDraft(null)
                  setStart(null)
                })
              }
            >
              Check the file again
            </Button>
            <Button
              variant="line"
              onClick={() => {
                setDraft(null)
                setStart(null)
              }}
            >
              Reset
            </Button>
          </div>
        </div>
      )}
    </Panel>
  )
}

/** How the columns of an imported file were matched. */
function MatchedColumns({ report }: { report: ImportReport }) {
  const { columns } = report
  const ignored = columns.filter(({ column }) => column === null).map(({ heading }) => heading || '(no name)')
  return (
    <Panel title="Columns">
      <dl className="import-columns">
        {columns.map(
          ({ heading, column }) =>
            column && (
              <div key={column}>
                <dt>{heading}</dt>
                <dd>imported as {importColumnName(column, report)}</dd>
              </div>
            ),
        )}
      </dl>
      {ignored.length > 0 && <p className="soft">Ignored: {ignored.join(', ')}.</p>}
    </Panel>
  )
}
