import { useState } from 'react'
import {
  getEmailWording,
  restoreEmailWording,
  saveEmailWording,
  testEmailWording,
  type ChangedText,
  type EmailWording,
} from '#contract/console/emails/email-wordings.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { useDraft } from '../forms/use-draft.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Panel } from '../ui/panel.tsx'
import { showToast } from '../ui/toasts.tsx'
import { changesOf, keyOf } from './changed-texts.rules.ts'
import { TextFields } from './text-fields.tsx'
import { WordingPreview } from './wording-preview.tsx'

/** The wording of one automatic email: its texts beside a preview with sample values. */
export default function EmailTextPage({ id }: { id: string }) {
  const found = useLoaded(getEmailWording, { params: { id } })
  if (found.value) return <Editor key={id} email={found.value} onChanged={found.setValue} />
  return (
    <ConsolePage title="Email texts">
      <WhenLoaded loaded={found} what="the email">
        {() => null}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Editor({ email, onChanged }: { email: EmailWording; onChanged(email: EmailWording): void }) {
  const { id, version } = email
  const [sample, setSample] = useState(email.samples[0] ?? '')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const draft = useDraft<Record<string, string>, string>(`email-text:${id}`, {
    saved: { version, value: Object.fromEntries(email.texts.map((one) => [keyOf(one), one.text])) },
    applies: (found) => found.version === version,
    editor: {
      changedFields: (now) => {
        const { length } = changesOf(email.texts, now)
        return [length === 1 ? '1 text' : `${length} texts`]
      },
      isSaving: busy === 'save',
      save: () => void save(changes, 'Saved. Emails from now on have these texts.'),
    },
  })
  const changes = changesOf(email.texts, draft.value)

  async function act(name: string, work: () => Promise<void>) {
    setBusy(name)
    setFailure(null)
    setErrors({})
    try {
      await work()
    } catch (cause) {
      if (cause instanceof CallFailure && cause.fieldErrors) setErrors(errorsByText(cause.fieldErrors, changes))
      else setFailure(officerErrorMessage(cause))
    }
    setBusy(null)
  }

  const accept = (next: EmailWording) => {
    const value = Object.fromEntries(next.texts.map((one) => [keyOf(one), one.text]))
    draft.discard()
    draft.applySaved(value, { version: next.version, value })
    onChanged(next)
  }
  const save = (texts: ChangedText[], done: string) =>
    act('save', async () => {
      const [before] = email.revisions
      const next = await saveAsOfficer(saveEmailWording, { params: { id }, body: { texts, version: draft.version } })
      accept(next)
      showToast(done, { undo: () => (before ? restore(before.number, next.version) : reset(next.version)) })
    })
  /** Before the first version there were the original texts. */
  async function reset(from: string) {
    accept(await saveAsOfficer(saveEmailWording, { params: { id }, body: { texts: [], version: from } }))
  }
  async function restore(number: number, from = version) {
    accept(await saveAsOfficer(restoreEmailWording, { params: { id }, body: { number, version: from } }))
  }

  return (
    <ConsolePage
      title={email.name}
      lead={<Link to="/console/email-texts">Email texts</Link>}
      action={
        <Button
          variant="line"
          busy={busy === 'test'}
          busyLabel="Sending"
          onClick={() =>
            void act('test', async () => {
              const { email: to } = await callAsOfficer(testEmailWording, {
                params: { id },
                body: { texts: changes, sample },
              })
              showToast(`Test email sent to ${to}.`)
            })
          }
        >
          Send test
        </Button>
      }
    >
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      {draft.hasConflict && (
        <Banner tone="warn" title="Another officer saved a newer version">
          <div className="buttons">
            <Button size="small" onClick={draft.rebase}>
              Keep my version
            </Button>
            <Button size="small" variant="line" onClick={draft.discard}>
              Use theirs
            </Button>
          </div>
        </Banner>
      )}
      {draft.isRestored && <Banner tone="note">We restored your unsaved draft.</Banner>}
      {email.unused.length > 0 && (
        <Banner tone="warn" title="Some of your texts are not used">
          <p>A newer release has another original for them. Change the new text, then save.</p>
          {email.unused.map((one) => (
            <p key={keyOf(one)}>“{one.text}”</p>
          ))}
        </Banner>
      )}
      <div className="editor-with-preview">
        <div className="stack">
          <Panel
            title="Texts"
            action={
              changes.length > 0 && (
                <Button variant="line" size="small" onClick={() => void save([], 'Reset to the original texts.')}>
                  Reset all
                </Button>
              )
            }
          >
            <TextFields
              texts={email.texts}
              values={draft.value}
              sample={email.samples.length > 1 ? sample : null}
              errors={errors}
              onChange={(key, text) => draft.change((before) => ({ ...before, [key]: text }))}
            />
          </Panel>
          <Panel title="History">
            {email.revisions.length === 0 ? (
              <p className="soft">Never changed.</p>
            ) : (
              <ul className="lines">
                {email.revisions.map(({ number, at, by, changed }, index) => (
                  <li key={number}>
                    <span>
                      {changed === 0 ? 'Original texts' : changed === 1 ? '1 changed text' : `${changed} changed texts`}
                    </span>
                    <span className="small soft">
                      {by}, {formatMoment(at)}
                    </span>
                    {index > 0 && (
                      <Button
                        variant="line"
                        size="small"
                        aria-label={`Restore the version of ${formatMoment(at)}`}
                        onClick={() => void act('restore', () => restore(number))}
                      >
                        Restore
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </Panel>
        </div>
        <WordingPreview id={id} samples={email.samples} sample={sample} onSample={setSample} texts={changes} />
      </div>
    </ConsolePage>
  )
}

/** The server names a text by its place in the request. */
function errorsByText(found: Record<string, string>, sent: readonly ChangedText[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(found).flatMap(([path, sentence]) => {
      const text = sent[Number(path.split('.')[1])]
      return text ? [[keyOf(text), sentence]] : []
    }),
  )
}
