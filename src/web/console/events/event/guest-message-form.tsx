import { useState } from 'react'
import {
  GUEST_AUDIENCES,
  guestMessageLimits,
  previewGuestMessage,
  sendGuestMessage,
  type EventEmails,
  type GuestAudience,
  type GuestReach,
} from '#contract/console/events/events.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, Field, TextArea } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { useDraft } from '#web/console/forms/use-draft.ts'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { EmailFrame } from '#web/console/ui/email-frame.tsx'
import { Panel } from '#web/console/ui/panel.tsx'

export const AUDIENCE_NAMES: Record<GuestAudience, string> = {
  coming: 'Coming',
  paying: 'To pay',
  waiting: 'Waitlist',
  arrived: 'Checked in',
}

interface Message {
  audiences: GuestAudience[]
  subject: string
  text: string
}
const EMPTY: { version: number; value: Message } = {
  version: 0,
  value: { audiences: ['coming'], subject: '', text: '' },
}

/** A message to guests: who gets it, a preview with the reach, and one confirmation. */
export function GuestMessageForm({
  eventId,
  reach,
  onSent,
  onClose,
}: {
  eventId: string
  reach: EventEmails['reach']
  onSent(emails: EventEmails, parties: number): void
  onClose(): void
}) {
  // The same for every attempt, so that sending twice sends once.
  const [messageId] = useState(() => crypto.randomUUID())
  const draft = useDraft(`guest-message:${eventId}`, { saved: EMPTY })
  const { value: message } = draft
  const [preview, setPreview] = useState<ReplyOf<typeof previewGuestMessage> | null>(null)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({
    order: ['audiences', 'subject', 'text'] as const,
    errorMessage: officerErrorMessage,
    async send() {
      setPreview(await callAsOfficer(previewGuestMessage, { params: { id: eventId }, body: message }))
    },
  })
  const change = (part: Partial<Message>) => draft.change((before) => ({ ...before, ...part }))
  const error = (name: 'audiences' | 'subject' | 'text') =>
    form.errors[name] === undefined ? {} : { error: form.errors[name] }

  async function send(parties: number) {
    setSending(true)
    setFailure(null)
    try {
      const body = { ...message, id: messageId }
      const emails = await callAsOfficer(sendGuestMessage, { params: { id: eventId }, body })
      draft.discard()
      onSent(emails, parties)
    } catch (cause) {
      setFailure(officerErrorMessage(cause))
      setSending(false)
    }
  }

  return (
    <Panel title="New message to guests">
      <form {...form.props} className="flow">
        <FormMessages form={form} />
        <fieldset className="checkbox-group field">
          <legend>To</legend>
          {GUEST_AUDIENCES.map((audience) => (
            <Checkbox
              key={audience}
              label={`${AUDIENCE_NAMES[audience]}: ${reachText(reach[audience])}`}
              name={`audience-${audience}`}
              checked={message.audiences.includes(audience)}
              onChange={({ target }) =>
                change({
                  audiences: GUEST_AUDIENCES.filter((one) =>
                    one === audience ? target.checked : message.audiences.includes(one),
                  ),
                })
              }
            />
          ))}
          {form.errors.audiences !== undefined && <p className="error-text">{form.errors.audiences}</p>}
        </fieldset>
        <Field
          label="Subject"
          name="subject"
          autoComplete="off"
          maxLength={guestMessageLimits.subject}
          value={message.subject}
          onChange={({ target }) => change({ subject: target.value })}
          {...error('subject')}
        />
        <TextArea
          label="Message"
          name="text"
          rows={8}
          value={message.text}
          hint="Each email also has the event’s date and place, and the guest’s own link. An empty line begins a paragraph."
          onChange={({ target }) => change({ text: target.value })}
          {...error('text')}
        />
        <div className="buttons">
          <Button type="submit" busy={form.isSubmitting} busyLabel="Loading preview">
            Preview and send
          </Button>
          <Button variant="line" onClick={onClose}>
            Close
          </Button>
        </div>
      </form>
      <Dialog
        open={preview !== null}
        onClose={() => setPreview(null)}
        title={preview ? `Send to ${partiesText(preview.reach.parties)}?` : ''}
        width="44rem"
      >
        {preview && (
          <>
            <p>
              {partiesText(preview.reach.parties)} with {preview.reach.persons}{' '}
              {preview.reach.persons === 1 ? 'person' : 'people'}, one email each.{' '}
              {preview.reach.unreachable > 0 && `${preview.reach.unreachable} without an address, such as walk-ins. `}
              This sends now and cannot be undone.
            </p>
            <p>
              <span className="soft">Subject:</span> <strong>{preview.subject}</strong>
            </p>
            <EmailFrame html={preview.html} />
            {failure && (
              <p className="error-text" role="alert">
                {failure}
              </p>
            )}
            <div className="buttons">
              <Button
                busy={isSending}
                busyLabel="Sending"
                disabled={preview.reach.parties === 0}
                onClick={() => void send(preview.reach.parties)}
              >
                Send to {partiesText(preview.reach.parties)}
              </Button>
              <Button variant="line" onClick={() => setPreview(null)}>
                Back
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </Panel>
  )
}

function reachText({ parties, persons, unreachable }: GuestReach): string {
  const people = `${persons} ${persons === 1 ? 'person' : 'people'}`
  return `${partiesText(parties)}, ${people}${unreachable > 0 ? `, and ${unreachable} without an address` : ''}`
}

function partiesText(parties: number): string {
  return parties === 1 ? '1 party' : `${parties} parties`
}
