import { useState } from 'react'
import { IMPORT_TOO_LARGE, IMPORT_MAX_BYTES } from '#contract/console/import.ts'
import {
  checkSubscriberFile,
  importSubscriberFile,
  READER_SYSTEM_NAMES,
  WHOLE_LISTS,
  type SubscriberFile,
  type WholeList,
} from '#contract/console/subscribers.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Checkbox, Field } from '#web/ui/field.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { showToast } from '../ui/toasts.tsx'
import { useAction } from '../shell/use-action.ts'
import { RecentSubscriberImports } from './recent-subscriber-imports.tsx'

const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`)

const LIST_NAMES: Record<WholeList, string> = {
  file: 'As the file says',
  none: 'None of them agreed',
  unsubscribed: 'All of them unsubscribed',
  bounced: 'Emails to all of them bounced',
  complained: 'All of them marked emails as spam',
}

/** Imports subscribers who opted in elsewhere: checks the list first, then imports it once an officer confirms their consent. */
export function SubscriberImport({ onImported }: { onImported(): void }) {
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [checked, setChecked] = useState<SubscriberFile | null>(null)
  const [hasConsent, setConsent] = useState(false)
  const [list, setList] = useState<WholeList>('file')

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
        setChecked(await callAsOfficer(checkSubscriberFile, { query: { filename: file.name, list }, file }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblem(failure.fieldErrors?.['file'] ?? '')
        throw failure
      }
    })
  }

  async function add({ digest }: SubscriberFile) {
    if (!file) return
    const query = { filename: file.name, list, digest, consent: 'stated' as const }
    await action.run('import', async () => {
      const { counts } = await callAsOfficer(importSubscriberFile, { query, file })
      setChecked(null)
      const blocked = counts.blocked + counts.ended
      showToast(
        `${people(counts.added)} added${blocked > 0 ? `, ${people(blocked)} added to the do-not-email list` : ''}.`,
      )
      onImported()
    })
  }

  return (
    <div className="flow">
      <p className="soft">
        For people who opted in elsewhere, such as at an event, and for exports of Mailchimp, Ghost, Constant Contact
        and Sender.net. Import the files of those who unsubscribed and bounced too: then no one can add them here by
        mistake. The list carries the date and source of each consent as it was recorded.
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
        <SelectField
          label="People in this list"
          name="list"
          value={list}
          error={undefined}
          onChange={({ currentTarget }) => setList(WHOLE_LISTS.find((one) => one === currentTarget.value) ?? 'file')}
          options={WHOLE_LISTS.map((one) => [one, LIST_NAMES[one]] as const)}
        />
        <Button type="submit" busy={action.busy === 'check'} busyLabel="Checking">
          Review
        </Button>
      </form>
      <Dialog
        open={checked !== null}
        onClose={() => setChecked(null)}
        title={checked ? titleOf(checked) : ''}
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
              {changesOf(checked) > 0 && (
                <Button
                  disabled={checked.counts.added > 0 && !hasConsent}
                  reason="Check the box first: the association is responsible for their consent."
                  busy={action.busy === 'import'}
                  busyLabel="Importing"
                  onClick={() => void add(checked)}
                >
                  {checked.counts.added > 0
                    ? `Add ${people(checked.counts.added)}`
                    : `Add ${people(changesOf(checked))}`}
                </Button>
              )}
              <Button
                variant="line"
                onClick={() => downloadFile(new Blob([checked.verdicts], { type: 'text/csv' }), 'verdicts.csv')}
              >
                Download results
              </Button>
              <Button variant="line" onClick={() => setChecked(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
      <RecentSubscriberImports onUndone={onImported} />
    </div>
  )
}

/** People whom the import adds, blocks or unsubscribes. */
function changesOf({ counts: { added, blocked, ended } }: SubscriberFile): number {
  return added + blocked + ended
}

function titleOf(file: SubscriberFile): string {
  const { added } = file.counts
  if (added > 0) return `Add ${people(added)}?`
  const changes = changesOf(file)
  return changes > 0 ? `Add ${people(changes)} to the do-not-email list?` : 'No one to add'
}

function Outcome({ file: { counts, wrong, system } }: { file: SubscriberFile }) {
  const { added, dated, known, suppressed, blocked, ended, newerConsent, noConsent } = counts
  return (
    <>
      {system && <p>Exported from {READER_SYSTEM_NAMES[system]}.</p>}
      <ul>
        {blocked > 0 && (
          <li>
            {people(blocked)} who unsubscribed or whose email bounced there: added to the do-not-email list. Only they
            can subscribe again.
          </li>
        )}
        {ended > 0 && (
          <li>
            {people(ended)} on the list here who unsubscribed or bounced there: unsubscribed here too, without an email.
          </li>
        )}
        {blocked + ended > 0 && (
          <li>
            Where the email bounced or was marked as spam, neither newsletters nor emails to members are sent; notices
            reach these members by post.
          </li>
        )}
        {newerConsent > 0 && <li>{people(newerConsent)} who left there but confirmed here after that; no change.</li>}
        {noConsent > 0 && <li>{people(noConsent)} who did not agree there; not added.</li>}
        {dated > 0 && <li>{people(dated)} with the date they agreed.</li>}
        {added > dated && (
          <li>
            {people(added - dated)} without that date: recorded as imported, with consent stated by the association
            today.
          </li>
        )}
        {known > 0 && <li>{people(known)} already on the list; no change.</li>}
        {suppressed > 0 && <li>{people(suppressed)} on the do-not-email list already. Only they can resubscribe.</li>}
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
