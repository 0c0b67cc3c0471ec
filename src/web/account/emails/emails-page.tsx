import { useCallback, useEffect, useState } from 'react'
import {
  listMemberEmails,
  setMemberNewsletter,
  type MemberNewsletter,
  type SentEmail,
} from '#contract/public/my-account/member-emails.ts'
import { setEmailTopic } from '#contract/public/my-account/email-topics.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import { useViewer } from '#web/session/viewer.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Box } from '../box.tsx'
import type { AccountPageProps } from '../account-frame.tsx'
import { TryAgain } from '../try-again.tsx'

type Loaded = ReplyOf<typeof listMemberEmails>

/** The emails the member gets: the newsletter, which can be switched, and those that always arrive. */
export default function EmailsPage({ explainFailure }: AccountPageProps) {
  const [state, setState] = useState<Loaded | 'loading' | 'failed'>('loading')

  const load = useCallback(
    async () => setState(await callAsMember(listMemberEmails).catch(() => 'failed' as const)),
    [],
  )
  useEffect(() => void load(), [load])

  if (state === 'loading') return <Skeleton height="12rem" />
  if (state === 'failed')
    return <TryAgain message="Your emails could not be loaded. Please check your connection." onRetry={load} />
  return (
    <div className="account-stack">
      <Box
        title="What we send you"
        footer="Notices to members, receipts, renewal reminders, answers to your messages and RSVPs, and security notices always arrive."
      >
        <NewsletterSwitch
          newsletter={state.newsletter}
          onChanged={(newsletter) => setState({ ...state, newsletter })}
          explainFailure={explainFailure}
        />
        {state.topics.map((choice) => (
          <TopicSwitch
            key={choice.topic}
            choice={choice}
            onChanged={(topics) => setState({ ...state, topics })}
            explainFailure={explainFailure}
          />
        ))}
      </Box>
      <RecentEmails recent={state.recent} />
    </div>
  )
}

interface NewsletterSwitchProps extends Pick<AccountPageProps, 'explainFailure'> {
  newsletter: MemberNewsletter
  onChanged(newsletter: MemberNewsletter): void
}

function NewsletterSwitch({ newsletter, onChanged, explainFailure }: NewsletterSwitchProps) {
  const { isMemberView } = useViewer()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const isOn = newsletter === 'subscribed' || newsletter === 'pending'

  async function change() {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      const reply = await callAsMember(setMemberNewsletter, { body: { isWanted: !isOn } })
      setSaid(reply.newsletter === 'off' ? 'You have been unsubscribed from the newsletter.' : '')
      onChanged(reply.newsletter)
    } catch (cause) {
      setFailure(
        explainFailure(cause, {
          missing: 'Please log in to change your emails',
          failed: 'Failed to change your emails. Please try again.',
        }),
      )
    }
    setBusy(false)
  }

  return (
    <>
      <label className="switch-row">
        <span>
          <b>Newsletter</b>
          <small>News and events of the association, for members and friends.</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={isMemberView}
          aria-busy={isBusy || undefined}
          onChange={() => void change()}
        />
      </label>
      {newsletter === 'bounced' && (
        <p className="small soft">
          Newsletters to your address bounced, so we stopped sending them. Switch it on to try again.
        </p>
      )}
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      <div role="status">
        {newsletter === 'pending' && (
          <Banner tone="note">
            <p>Check your email to confirm! The newsletter begins once you press the button in the email we sent.</p>
          </Banner>
        )}
        {said && newsletter === 'off' && <Banner tone="good">{said}</Banner>}
      </div>
    </>
  )
}

interface TopicSwitchProps extends Pick<AccountPageProps, 'explainFailure'> {
  choice: Loaded['topics'][number]
  onChanged(topics: Loaded['topics']): void
}

/** A kind of email to members that can be switched off. It takes effect at once. */
function TopicSwitch({ choice, onChanged, explainFailure }: TopicSwitchProps) {
  const { topic, name, about, isWanted } = choice
  const { isMemberView } = useViewer()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function change() {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      onChanged((await callAsMember(setEmailTopic, { body: { topic, isWanted: !isWanted } })).topics)
    } catch (cause) {
      setFailure(
        explainFailure(cause, {
          missing: 'Please log in to change your emails',
          failed: 'Failed to change your emails. Please try again.',
        }),
      )
    }
    setBusy(false)
  }

  return (
    <>
      <label className="switch-row">
        <span>
          <b>{name}</b>
          <small>{about}</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          checked={isWanted}
          disabled={isMemberView}
          aria-busy={isBusy || undefined}
          onChange={() => void change()}
        />
      </label>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
    </>
  )
}

const STATES: Record<SentEmail['state'], { label: string; tone: 'ok' | 'quiet' | 'bad' }> = {
  sent: { label: 'Sent', tone: 'ok' },
  waiting: { label: 'On its way', tone: 'quiet' },
  bounced: { label: 'Bounced', tone: 'bad' },
  failed: { label: 'Not delivered', tone: 'bad' },
}

function RecentEmails({ recent }: { recent: readonly SentEmail[] }) {
  return (
    <Box title="Recent emails" flush footer="We do not record whether you open them.">
      {recent.length === 0 && <p className="box-body soft">None in the last 30 days.</p>}
      {recent.length > 0 && (
        <ul className="account-rows">
          {recent.map(({ what, isNewsletter, at, state }, index) => (
            <li key={`${at} ${index}`}>
              <div>
                <strong>{what}</strong>
                <p>
                  {formatLongDate(at)}
                  {isNewsletter && ', newsletter'}
                </p>
              </div>
              <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Box>
  )
}
