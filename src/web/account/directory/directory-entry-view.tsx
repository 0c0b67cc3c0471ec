import { useCallback, useState } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'
import { accountPath } from '#web/app/paths.ts'
import { useViewer } from '#web/session/viewer.ts'
import { RecordValueText } from '#web/shared/member-record/record-value.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Box } from '../box.tsx'
import { MemberDataProblem, useMemberData } from '../member-data.tsx'
import type { ExplainFailure } from '../use-account.ts'
import { readEntry, type ShownEntry } from './directory.calls.ts'
import { MessageForm } from './message-form.tsx'

/** The entry of one person, as every member sees it. */
export function DirectoryEntryView({ id, explainFailure }: { id: string; explainFailure: ExplainFailure }) {
  const read = useCallback(() => readOrExplain(id), [id])
  const loaded = useMemberData(read)
  return (
    <>
      <p>
        <Link to={accountPath('directory')}>Back to the directory</Link>
      </p>
      {loaded.step === 'loading' && <Skeleton height="12rem" />}
      <MemberDataProblem state={loaded} what="This entry" />
      {loaded.step === 'shown' && typeof loaded.value === 'string' && <p role="alert">{loaded.value}</p>}
      {loaded.step === 'shown' && typeof loaded.value !== 'string' && (
        <Entry entry={loaded.value} explainFailure={explainFailure} />
      )}
    </>
  )
}

/** The entry, or the sentence why it is not shown. */
async function readOrExplain(id: string): Promise<ShownEntry | string> {
  try {
    return await readEntry(id)
  } catch (failure) {
    const code = failure instanceof CallFailure ? failure.code : undefined
    if (code === 'NOT_FOUND') return 'This person is no longer in the directory.'
    if (code === 'RATE_LIMITED') return 'You have opened as many entries as one day allows. Please continue tomorrow.'
    throw failure
  }
}

function Entry({ entry, explainFailure }: { entry: ShownEntry; explainFailure: ExplainFailure }) {
  const { isMemberView } = useViewer()
  const [mode, setMode] = useState<'view' | 'write' | 'sent'>('view')
  const name = `${entry.firstName} ${entry.lastName}`
  return (
    <>
      <Box title={name}>
        {entry.isOwn && (
          <Banner tone="note">
            This is your own entry, as other members see it.{' '}
            <Link to={`${accountPath('profile')}#directory`}>Change it</Link>
          </Banner>
        )}
        {entry.values.length > 0 ? (
          <KeyValueList
            items={entry.values.map(({ label, kind, value }) => ({
              label,
              value: <RecordValueText kind={kind} value={value} />,
            }))}
          />
        ) : (
          <p className="soft">{entry.firstName} shows no details to members.</p>
        )}
      </Box>
      {!entry.isOwn && !isMemberView && (
        <Box title={`Write to ${entry.firstName}`}>
          <div role="status">
            {mode === 'sent' && <Banner tone="good">Your message is on its way to {name}.</Banner>}
          </div>
          {!entry.takesMessages && (
            <p className="soft">{entry.firstName} does not receive messages through the directory.</p>
          )}
          {entry.takesMessages && mode !== 'write' && (
            <>
              <p>
                {entry.firstName} gets your message by email. You do not see the address, and {entry.firstName} decides
                whether to reply.
              </p>
              <div className="buttons">
                <Button size="small" variant={mode === 'sent' ? 'line' : 'solid'} onClick={() => setMode('write')}>
                  {mode === 'sent' ? 'Write another message' : 'Send a message'}
                </Button>
              </div>
            </>
          )}
          {entry.takesMessages && mode === 'write' && (
            <MessageForm
              entryId={entry.id}
              firstName={entry.firstName}
              explainFailure={explainFailure}
              onSent={() => setMode('sent')}
              onCancel={() => setMode('view')}
            />
          )}
        </Box>
      )}
    </>
  )
}
