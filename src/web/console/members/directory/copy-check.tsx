import { useState } from 'react'
import { traceCopy, type CopyTrace } from '#contract/console/people/planted-entries.ts'
import { formatDay } from '#contract/dates/days.ts'
import { limits } from '#contract/limits.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Panel } from '#web/console/ui/panel.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

/** Whether a text was copied from the directory. The text is not stored, and does not stay in the browser. */
export function CopyCheck() {
  const action = useAction()
  const [text, setText] = useState('')
  const [trace, setTrace] = useState<CopyTrace | null>(null)

  const isLong = text.length > limits.directory.copyMax

  async function check() {
    setTrace(null)
    await action.run('check', async () => setTrace(await callAsOfficer(traceCopy, { body: { text } })))
  }

  return (
    <Panel title="Check a copy">
      <form
        className="flow"
        onSubmit={(event) => {
          event.preventDefault()
          void check()
        }}
      >
        <ActionMessages action={action} />
        <TextArea
          label="Text or file content of the copy"
          name="text"
          rows={6}
          value={text}
          hint="A list that someone sent you, or the source of a web page. It is not stored."
          error={
            isLong
              ? `At most ${limits.directory.copyMax.toLocaleString('en-US')} characters at a time, please`
              : undefined
          }
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="line"
          disabled={text.trim() === '' || isLong}
          busy={action.busy === 'check'}
          busyLabel="Checking"
        >
          Check
        </Button>
      </form>
      <div role="status">{trace && <Result trace={trace} />}</div>
    </Panel>
  )
}

function Result({ trace: { entries, publicDays } }: { trace: CopyTrace }) {
  if (entries.length === 0 && publicDays.length === 0) {
    return (
      <Banner tone="note" title="Nothing found">
        No planted entry and no mark of the public page is in it. It may still be a copy of a part without one.
      </Banner>
    )
  }
  return (
    <>
      {entries.map(({ id, name, hasName, found, readers }) => (
        <Banner key={id} tone="warn" title={`Copied from the directory for members: ${name}`}>
          <p>In the copy: {[...(hasName ? ['Name'] : []), ...found].join(', ')}.</p>
          {readers?.length === 0 && <p>No log-in has the number in it. It may have been changed.</p>}
          {readers && readers.length > 0 && (
            <>
              <p>The number in it is shown to:</p>
              <ul>
                {readers.map(({ accountId, name: reader, isView }) => (
                  <li key={`${accountId} ${isView}`}>
                    {isView && 'An officer who viewed the site as '}
                    <Link to={`/console/members/${accountId}`}>{reader}</Link>
                  </li>
                ))}
              </ul>
              <p className="small">
                {readers.length > 1 && 'Several log-ins can have the same number. '}
                Someone else may have used the log-in: ask before you act.
              </p>
            </>
          )}
        </Banner>
      ))}
      {publicDays.length > 0 && (
        <Banner tone="warn" title="Copied from the public page">
          On {publicDays.map(formatDay).join(', ')}. The page is open to everyone, so its mark does not tell who.
        </Banner>
      )}
    </>
  )
}
