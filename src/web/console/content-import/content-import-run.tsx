import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  confirmContentImport,
  deleteContentImport,
  type ContentImportReport,
} from '#contract/console/website/content-import.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Figure } from '../ui/figure.tsx'

const TITLES = { checked: 'Review', running: 'Importing', done: 'Result' }
const count = (number: number, one: string, many: string) =>
  number === 1 ? `1 ${one}` : `${number.toLocaleString('en-US')} ${many}`
const rowsOf = (number: number) => count(number, 'row', 'rows')

/** The counts of an export, and the import of its rows: what the officer chooses, then its progress and result. */
export function ContentImportRun({ report, onChanged }: { report: ContentImportReport; onChanged(): void }) {
  const { id, state, counts, pictures } = report
  const action = useAction()
  const navigate = useNavigate()
  const [takesDrafts, setTakesDrafts] = useState(false)
  const [publishes, setPublishes] = useState(false)
  const total = counts.new + (takesDrafts ? counts.draft : 0)
  const params = { id }

  function confirm() {
    void action.run('confirm', async () => {
      await callAsOfficer(confirmContentImport, { params, body: { takesDrafts, publishes } })
      onChanged()
    })
  }

  function drop() {
    void action.run('drop', async () => {
      await callAsOfficer(deleteContentImport, { params })
      await navigate('/console/content-imports')
    })
  }

  return (
    <Panel title={report.undoneAt ? 'Undone' : TITLES[state]}>
      <ActionMessages action={action} />
      <dl className="console-figures">
        <Figure label="Were published" value={counts.new} />
        <Figure label="Were drafts" value={counts.draft} />
        <Figure label="Imported before" value={counts.known} />
        <Figure label="Cannot be imported" value={counts.wrong} />
      </dl>
      {state === 'checked' && (
        <>
          {counts.new + counts.draft === 0 ? (
            <p>Nothing can be imported. Each row explains why.</p>
          ) : (
            <>
              <p>
                Nothing has been imported yet. {pictures.found > 0 && picturesText(pictures.found)}
                {report.source !== 'calendar' && ' Old addresses lead to the new pages from when these are published.'}
              </p>
              {counts.draft > 0 && (
                <Checkbox
                  name="takesDrafts"
                  checked={takesDrafts}
                  onChange={({ target }) => setTakesDrafts(target.checked)}
                  label={`Also import ${count(counts.draft, 'row that was', 'rows that were')} a draft or private, as ${counts.draft === 1 ? 'a draft' : 'drafts'}`}
                />
              )}
              {counts.new > 0 && (
                <Checkbox
                  name="publishes"
                  checked={publishes}
                  onChange={({ target }) => setPublishes(target.checked)}
                  label="Publish what was published; otherwise everything arrives as a draft"
                />
              )}
            </>
          )}
          <div className="buttons">
            {total > 0 && (
              <Button busy={action.busy === 'confirm'} busyLabel="Starting" onClick={confirm}>
                {`Import ${rowsOf(total)}`}
              </Button>
            )}
            <Button variant="line" busy={action.busy === 'drop'} busyLabel="Discarding" onClick={drop}>
              Discard
            </Button>
          </div>
        </>
      )}
      {state === 'running' && <Progress report={report} />}
      {state === 'done' && <Result report={report} />}
    </Panel>
  )
}

function picturesText(found: number): string {
  return `${count(found, 'picture is', 'pictures are')} fetched from the former website, which has to be online until then.`
}

function Progress({ report: { progress, pictures } }: { report: ContentImportReport }) {
  const fetched = pictures.stored + pictures.failed.length
  return (
    <div className="import-progress">
      <progress value={progress.done} max={Math.max(progress.total, 1)} aria-label="Rows imported" />
      <p role="status">
        {progress.done.toLocaleString('en-US')} of {rowsOf(progress.total)}
        {pictures.found > 0 && `, ${count(fetched, 'picture', 'pictures')} fetched`}. You can leave this page.
      </p>
    </div>
  )
}

function Result({ report }: { report: ContentImportReport }) {
  const { results, pictures, redirects, undoneAt, undoneBy } = report
  if (undoneAt) {
    return (
      <Banner tone="note">
        <p>
          {undoneBy} undid this import on {formatMoment(undoneAt)}.{' '}
          {count(results.removed, 'record was', 'records were')} removed.
        </p>
      </Banner>
    )
  }
  const parts = [
    ...(results.published > 0 ? [`${results.published.toLocaleString('en-US')} published`] : []),
    ...(results.draft > 0 ? [count(results.draft, 'saved as a draft', 'saved as drafts')] : []),
    ...(results.failed > 0 ? [`${results.failed.toLocaleString('en-US')} not imported`] : []),
  ]
  return (
    <>
      <Banner tone={results.failed + pictures.failed.length > 0 ? 'note' : 'good'}>
        <p>
          {parts.join(', ') || 'Nothing was imported'}.{' '}
          {pictures.stored > 0 && `${count(pictures.stored, 'picture', 'pictures')} stored in Media. `}
          {redirects > 0 && `${count(redirects, 'old address leads', 'old addresses lead')} to the new pages.`}
        </p>
      </Banner>
      <p>
        <Link to="/console/content?state=draft">Drafts</Link> · <Link to="/console/pictures">Media</Link> ·{' '}
        <Link to="/console/content/redirects">Redirects</Link>
      </p>
    </>
  )
}
