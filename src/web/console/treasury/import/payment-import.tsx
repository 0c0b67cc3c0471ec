import { useState } from 'react'
import { IMPORT_MAX_BYTES, IMPORT_TOO_LARGE } from '#contract/console/import.ts'
import {
  checkPaymentFile,
  importPaymentFile,
  PAYMENT_COLUMN_NAMES,
  PAYMENT_COLUMNS,
  type PaymentColumn,
  type PaymentFile,
} from '#contract/console/money/payment-imports.ts'
import { formatMoney } from '#contract/money.ts'
import { region } from '#contract/region.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { ConsolePage } from '#web/console/shell/console-page.tsx'
import { useAction } from '#web/console/shell/use-action.ts'
import { showToast } from '#web/console/ui/toasts.tsx'
import { RecentPaymentImports } from './recent-payment-imports.tsx'
import { Figure } from '#web/console/ui/figure.tsx'

const payments = (count: number) => (count === 1 ? '1 payment' : `${count.toLocaleString('en-US')} payments`)

/** Records past payments of dues from a file as history: the verdict of each row first. */
export default function PaymentImportPage() {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [checked, setChecked] = useState<PaymentFile | null>(null)
  const [imported, setImported] = useState(0)

  async function check(columns?: string) {
    if (!file) return setProblem('Choose a file.')
    if (file.size > IMPORT_MAX_BYTES) return setProblem(IMPORT_TOO_LARGE)
    setProblem('')
    await action.run('check', async () => {
      try {
        const query = { filename: file.name, ...(columns !== undefined && { columns }) }
        setChecked(await callAsOfficer(checkPaymentFile, { query, file }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblem(failure.fieldErrors?.['file'] ?? '')
        throw failure
      }
    })
  }

  async function record({ digest, columns }: PaymentFile) {
    if (!file) return
    const query = { filename: file.name, digest, columns: columns.map(({ column }) => column ?? '').join(',') }
    await action.run('import', async () => {
      const { recorded } = await callAsOfficer(importPaymentFile, { query, file })
      showToast(`${payments(recorded)} recorded.`)
      setChecked(null)
      setImported(imported + 1)
    })
  }

  return (
    <ConsolePage title="Import past payments" crumb={<Link to="/console/payments">Payments</Link>}>
      <div className="stack">
        <Card title="Choose a file">
          <form
            className="flow"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              void check()
            }}
          >
            <p>
              Payments of dues that an earlier system took. They appear on members’ pages, in reports and in the year’s
              totals. No receipt is emailed, and no membership changes: import the members first, with their last days.
            </p>
            <p>
              If the earlier system charges cards through your own Stripe account,{' '}
              <Link to="/console/payments/subscriptions">import its subscriptions</Link>: they go on here, and their
              past payments come with them.
            </p>
            {problem === '' && <ActionMessages action={action} />}
            <Field
              label="Past payments (CSV)"
              name="file"
              type="file"
              accept=".csv,.txt,text/csv"
              hint="Columns: email, paid on, amount, level, last day of the term, method, reference. Up to 2,000 rows."
              onChange={({ target }) => {
                setFile(target.files?.[0] ?? null)
                setProblem('')
                setChecked(null)
              }}
              {...(problem && { error: problem })}
            />
            <Button type="submit" busy={action.busy === 'check'} busyLabel="Checking">
              Review
            </Button>
          </form>
        </Card>
        {checked && (
          <Review
            file={checked}
            isBusy={action.busy === 'import'}
            onColumns={(columns) => void check(columns)}
            onRecord={() => void record(checked)}
          />
        )}
        <RecentPaymentImports key={imported} />
      </div>
    </ConsolePage>
  )
}

function Review({
  file: { columns, counts, skipped, verdicts },
  isBusy,
  onColumns,
  onRecord,
}: {
  file: PaymentFile
  isBusy: boolean
  onColumns(columns: string): void
  onRecord(): void
}) {
  function choose(index: number, chosen: PaymentColumn | null) {
    const next = columns.map(({ column }, at) => (at === index ? chosen : column === chosen ? null : column))
    onColumns(next.map((column) => column ?? '').join(','))
  }
  return (
    <Card title="Review">
      <dl className="console-figures">
        <Figure label="New" value={counts.new} />
        <Figure label="Recorded before" value={counts.known} />
        <Figure label="Errors" value={counts.wrong} />
        <Figure label="Total of new payments" value={formatMoney(counts.total, region().currency)} />
      </dl>
      <div className="buttons">
        {counts.new > 0 && (
          <Button busy={isBusy} busyLabel="Recording" onClick={onRecord}>
            {`Record ${payments(counts.new)}`}
          </Button>
        )}
        <Button variant="line" onClick={() => downloadFile(new Blob([verdicts], { type: 'text/csv' }), 'verdicts.csv')}>
          Download results
        </Button>
      </div>
      {skipped.length > 0 && (
        <details className="more-filters" open>
          <summary>Rows that are not recorded</summary>
          <ul>
            {skipped.map(({ line, email, sentence }) => (
              <li key={line}>
                Line {line}: {email && <span className="break">{email}. </span>}
                {sentence}
              </li>
            ))}
          </ul>
          {counts.known + counts.wrong > skipped.length && <p>The first {skipped.length} are shown.</p>}
        </details>
      )}
      <h3>Columns</h3>
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
          {columns.map(({ heading, column, sample }, index) => (
            <tr key={`${index} ${heading}`}>
              <th scope="row">{heading || '(no name)'}</th>
              <td className="soft" data-label="First row">
                {sample || '–'}
              </td>
              <td>
                <select
                  className="input"
                  aria-label={`Import ${heading || `column ${index + 1}`} as`}
                  value={column ?? ''}
                  onChange={({ target }) => choose(index, PAYMENT_COLUMNS.find((one) => one === target.value) ?? null)}
                >
                  <option value="">Not imported</option>
                  {PAYMENT_COLUMNS.map((one) => (
                    <option key={one} value={one}>
                      {PAYMENT_COLUMN_NAMES[one]}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
