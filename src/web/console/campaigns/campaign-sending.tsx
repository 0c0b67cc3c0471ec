import { useId, useRef, useState } from 'react'
import type { CampaignDetail } from '#contract/console/newsletter.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Panel } from '../ui/panel.tsx'
import { useNextFocus } from '../ui/use-next-focus.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { useAction } from '../shell/use-action.ts'

export type Wish = 'unschedule' | 'pause' | 'resume' | 'again'

/** What is said about sending one kind of campaign. */
export interface SendingTexts {
  /** Who gets it, such as '158 subscribers'. */
  audience: string
  /** Below the heading before it is sent. */
  intro: string
  /** When it is scheduled, behind the time and before the audience. */
  scheduledFor: string
  /** What sending means, before it is confirmed. */
  warning: string
  /** How many unsubscribed since; null where that is not known. */
  unsubscribed: number | null
}

interface CampaignSendingProps<Detail extends CampaignDetail> {
  campaign: Detail
  /** The editor has unsaved changes, which would not be sent. */
  isUnsaved: boolean
  /** Something that a check names is missing. */
  isIncomplete: boolean
  texts: SendingTexts
  send(body: { version: number; at: string | null }): Promise<Detail>
  control(wish: Wish): Promise<Detail>
  onChanged(campaign: Detail): void
}

/** Sends or schedules a campaign after a confirmation, then shows the progress. */
export function CampaignSending<Detail extends CampaignDetail>({
  campaign,
  isUnsaved,
  isIncomplete,
  texts,
  send: callSend,
  control,
  onChanged,
}: CampaignSendingProps<Detail>) {
  const { state, version, refused, scheduledFor, mailing } = campaign
  const action = useAction()
  const [at, setAt] = useState('')
  const reasonId = useId()
  const isHeld = isUnsaved || isIncomplete
  const reason = isHeld ? reasonId : undefined
  const panel = useRef<HTMLElement>(null)
  const moveFocus = useNextFocus(state)
  const [asking, setAsking] = useState<'now' | 'later' | 'again' | null>(null)

  /** Each state has buttons of its own: the keyboard goes on with the first one. */
  function accept(changed: Detail) {
    moveFocus(() => panel.current?.querySelector<HTMLElement>('input, button'))
    onChanged(changed)
  }

  async function send(when: string | null) {
    setAsking(null)
    await action.run(
      'send',
      async () => accept(await callSend({ version, at: when })),
      when === null ? 'Sending now.' : 'Scheduled.',
    )
  }

  async function steer(wish: Wish, done: string) {
    setAsking(null)
    await action.run(wish, async () => accept(await control(wish)), done)
  }

  const button = (wish: Wish, label: string, done: string) => (
    <Button
      variant="line"
      busy={action.busy === wish}
      busyLabel={label}
      onClick={() => (wish === 'again' ? setAsking('again') : void steer(wish, done))}
    >
      {label}
    </Button>
  )
  const { audience } = texts

  return (
    <Panel ref={panel} title={mailing ? 'Results' : 'Send'}>
      <ActionMessages action={action} />
      {refused && <Banner tone="bad">It won’t be sent automatically. {refused}</Banner>}
      {state === 'draft' && (
        <>
          <p>{texts.intro}</p>
          <div className="pair">
            <Field
              label="Send later (association time)"
              name="at"
              type="datetime-local"
              value={at}
              onChange={(event) => setAt(event.target.value)}
            />
          </div>
          <div className="buttons">
            <Button
              busy={action.busy === 'send'}
              busyLabel="Sending"
              disabled={isHeld}
              aria-describedby={reason}
              onClick={() => setAsking('now')}
            >
              Send now
            </Button>
            <Button
              variant="line"
              disabled={isHeld || at === ''}
              aria-describedby={reason}
              onClick={() => setAsking('later')}
            >
              Schedule
            </Button>
          </div>
          {isHeld && (
            <p className="small" id={reason}>
              {isUnsaved ? 'Your last changes are not saved yet.' : 'Complete what the checks name first.'}
            </p>
          )}
        </>
      )}
      {state === 'scheduled' && scheduledFor && (
        <>
          <p>
            Scheduled for <strong>{formatMoment(scheduledFor)}</strong>, {texts.scheduledFor} ({audience} now).
          </p>
          {button('unschedule', 'Unschedule', 'It is a draft again.')}
        </>
      )}
      {mailing && <Counts mailing={mailing} unsubscribed={texts.unsubscribed} />}
      <div className="buttons">
        {state === 'sending' &&
          button('pause', 'Pause', 'Paused. Emails already handed to the mail server still go out.')}
        {state === 'paused' && button('resume', 'Resume', 'Sending resumed.')}
        {mailing !== null && mailing.uncertain > 0 && button('again', 'Resend unconfirmed', 'Resending.')}
      </div>
      {state === 'archived' && <p>This issue is in the archive; it was not sent from here.</p>}
      <Dialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'again' ? 'Resend unconfirmed emails?' : `Send to ${audience}?`}
        width="32rem"
      >
        <p>
          {asking === 'again'
            ? `${mailing?.uncertain === 1 ? '1 email' : `${mailing?.uncertain ?? 0} emails`} may or may not have arrived. Some people may get it twice.`
            : asking === 'later'
              ? 'It is sent automatically at the time you chose. You can unschedule it until then.'
              : texts.warning}
        </p>
        <div className="buttons">
          {asking === 'again' ? (
            <Button onClick={() => void steer('again', 'Resending.')}>Resend</Button>
          ) : (
            <Button onClick={() => void send(asking === 'later' ? at : null)}>
              {asking === 'later' ? 'Schedule' : 'Send'}
            </Button>
          )}
          <Button variant="line" onClick={() => setAsking(null)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Panel>
  )
}

function Counts({
  mailing,
  unsubscribed,
}: {
  mailing: NonNullable<CampaignDetail['mailing']>
  unsubscribed: number | null
}) {
  const { recipients, accepted, waiting, bounced, failed, uncertain, skipped, lastError } = mailing
  return (
    <>
      <progress className="mailing-progress" max={recipients} value={recipients - waiting} aria-label="Processed" />
      <KeyValueList
        items={[
          { label: 'Recipients', value: recipients },
          { label: 'Accepted by their mail servers', value: accepted },
          { label: 'Remaining', value: waiting },
          { label: 'Bounced', value: bounced },
          { label: 'Refused', value: failed },
          { label: 'Unconfirmed', value: uncertain },
          // People on a list of members are also skipped when they left or changed their address.
          { label: unsubscribed === null ? 'Skipped' : 'Unsubscribed before sending', value: skipped },
          ...(unsubscribed === null ? [] : [{ label: 'Unsubscribed since', value: unsubscribed }]),
        ]}
      />
      <p className="small soft">
        Replies go to the association’s mailbox. Opens and clicks are not measured: the site promises no tracking.
      </p>
      {lastError && <Banner tone="warn">{lastError}</Banner>}
    </>
  )
}
