import { useState } from 'react'
import {
  inviteSubscriber,
  listSubscribers,
  SUBSCRIBER_STATES,
  unsubscribeByOfficer,
  type ListedSubscriber,
} from '#contract/console/newsletter.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { ChoiceTabs } from '../forms/choice-tabs.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { SubscriberImport } from './subscriber-import.tsx'
import { Pager } from '../shell/pager.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { useAction } from '../shell/use-action.ts'
import { useListParams } from '../shell/use-list-params.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'

const NAMES = {
  subscribed: 'Subscribed',
  pending: 'Invited',
  left: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Complained',
} as const

/** Newsletter subscribers, with the source and date of their consent. */
export default function SubscribersPage() {
  const {
    state,
    query,
    page,
    setState: choose,
    search,
    setPage: turnTo,
  } = useListParams(SUBSCRIBER_STATES, 'subscribed')
  const found = useLoaded(listSubscribers, { query: { state, page: String(page), q: query || undefined } })
  const action = useAction()
  const [unsubscribing, setUnsubscribing] = useState<ListedSubscriber | null>(null)
  const counts = found.value?.counts

  async function unsubscribe({ id, email }: ListedSubscriber) {
    setUnsubscribing(null)
    const isDone = await action.run(
      id,
      async () => callAsOfficer(unsubscribeByOfficer, { params: { id }, body: {} }),
      `${email} was unsubscribed.`,
    )
    if (isDone) found.reload()
  }

  return (
    <ConsolePage
      title="Subscribers"
      lead="Everyone who gets the newsletter. Each entry shows how they opted in: by confirming our email, or through an imported list."
      action={
        <ButtonLink variant="line" to="/console/newsletter">
          All newsletters
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <InviteForm />
      <SubscriberImport onImported={found.reload} />
      <ChoiceTabs
        label="Subscriber status"
        choices={SUBSCRIBER_STATES.map(
          (one) => [one, counts ? `${NAMES[one]} (${counts[one].toLocaleString('en-US')})` : NAMES[one]] as const,
        )}
        chosen={state}
        onChoose={choose}
      />
      <SearchField label="Search addresses" initial={query} onSearch={search} />
      <WhenLoaded loaded={found} what="the subscribers">
        {({ subscribers, hasMore }) => (
          <>
            {subscribers.length === 0 && <p className="card">{query ? 'No results.' : 'No subscribers here.'}</p>}
            <ul className="entries">
              {subscribers.map((subscriber) => (
                <Entry
                  key={subscriber.id}
                  subscriber={subscriber}
                  isBusy={action.busy === subscriber.id}
                  onUnsubscribe={() => setUnsubscribing(subscriber)}
                />
              ))}
            </ul>
            <Pager page={page} hasMore={hasMore} onPage={turnTo} />
          </>
        )}
      </WhenLoaded>
      <Dialog
        open={unsubscribing !== null}
        onClose={() => setUnsubscribing(null)}
        title="Unsubscribe this address?"
        width="30rem"
      >
        {unsubscribing && (
          <>
            <p>
              {unsubscribing.email} stops receiving the newsletter, and we’ll email them about it. Only they can
              resubscribe.
            </p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void unsubscribe(unsubscribing)}>
                Unsubscribe
              </Button>
              <Button variant="line" onClick={() => setUnsubscribing(null)}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

function Entry({
  subscriber: { email, state, source, askedAt, confirmedAt, leftAt, imported },
  isBusy,
  onUnsubscribe,
}: {
  subscriber: ListedSubscriber
  isBusy: boolean
  onUnsubscribe(): void
}) {
  return (
    <li className="card entry">
      <div>
        <h2>{email}</h2>
        <p className="small soft">
          {imported ? importedText(imported) : `Requested ${formatLongDate(askedAt)} (${source})`}
          {confirmedAt && ` · confirmed ${formatLongDate(confirmedAt)}`}
          {leftAt && ` · unsubscribed ${formatLongDate(leftAt)}`}
        </p>
      </div>
      {(state === 'subscribed' || state === 'pending') && (
        <Button
          variant="line"
          size="small"
          aria-label={`Unsubscribe ${email}`}
          busy={isBusy}
          busyLabel="Unsubscribing"
          onClick={onUnsubscribe}
        >
          Unsubscribe
        </Button>
      )}
    </li>
  )
}

function importedText({ at, consentOn, consentSource }: NonNullable<ListedSubscriber['imported']>): string {
  const source = consentSource ? ` (${consentSource})` : ''
  const day = formatLongDate(at)
  return consentOn
    ? `Opted in ${formatDay(consentOn)}${source} · imported ${day}`
    : `Imported, consent stated by the association on ${day}${source}`
}

const FIELDS = { email: 'Invite someone to subscribe' }

function InviteForm() {
  const [asked, setAsked] = useState('')
  const form = useDraftForm('ask-subscriber', {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ email }) {
      setAsked('')
      setAsked((await callAsOfficer(inviteSubscriber, { body: { email } })).email)
    },
  })
  return (
    <form {...form.props} className="card">
      <DraftFormMessages form={form} />
      <div role="status">
        {asked && <Banner tone="good">We’ve emailed {asked}. They get the newsletter once they confirm.</Banner>}
      </div>
      <Field {...form.field('email')} type="email" autoComplete="off" hint="No one is added without confirming." />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Sending">
        Send invitation
      </Button>
    </form>
  )
}
