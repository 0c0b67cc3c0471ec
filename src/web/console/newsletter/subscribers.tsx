import { useState } from 'react'
import {
  askSubscriber,
  listSubscribers,
  SUBSCRIBER_STATES,
  takeOffSubscriber,
  type ListedSubscriber,
} from '#contract/console-newsletter.ts'
import { formatLongDate } from '#contract/dates.ts'
import { writeDay } from '#contract/days.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { ChoiceTabs } from '#web/features/console/choice-tabs.tsx'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { ReaderImport } from '#web/features/console/reader-import.tsx'
import { Pager } from '#web/features/console/pager.tsx'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useListAddress } from '#web/features/console/use-list-address.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'

const NAMES = {
  subscribed: 'Subscribed',
  pending: 'Asked',
  left: 'Left',
  bounced: 'Came back',
  complained: 'Complained',
} as const

/** Who gets the newsletter, since when, and where they asked for it. */
export default function SubscribersPage() {
  const { state, words, page, choose, search, turnTo } = useListAddress(SUBSCRIBER_STATES, 'subscribed')
  const found = useLoaded(`${state} ${page} ${words}`, () =>
    callAsOfficer(listSubscribers, { query: { state, page: String(page), q: words || undefined } }),
  )
  const action = useAction()
  const [leaving, setLeaving] = useState<ListedSubscriber | null>(null)
  const counts = found.value?.counts

  async function takeOff({ id, email }: ListedSubscriber) {
    setLeaving(null)
    const isDone = await action.run(
      id,
      async () => callAsOfficer(takeOffSubscriber, { params: { id }, body: {} }),
      `${email} is off the list.`,
    )
    if (isDone) found.reload()
  }

  return (
    <ConsolePage
      title="Subscribers"
      lead="Who gets the newsletter. Each entry says how its owner agreed: by confirming our email, or as an imported list states it."
      action={
        <ButtonLink variant="line" to="/console/newsletter">
          All newsletters
        </ButtonLink>
      }
    >
      <ActionMessages action={action} />
      <AskForm />
      <ReaderImport onImported={found.reload} />
      <ChoiceTabs
        label="Which subscribers"
        choices={SUBSCRIBER_STATES.map(
          (one) => [one, counts ? `${NAMES[one]} (${counts[one].toLocaleString('en-US')})` : NAMES[one]] as const,
        )}
        chosen={state}
        onChoose={choose}
      />
      <SearchField label="Search addresses" initial={words} onSearch={search} />
      <WhenLoaded loaded={found} what="the subscribers">
        {({ subscribers, hasMore }) => (
          <>
            {subscribers.length === 0 && <p className="sheet">{words ? 'Nothing was found.' : 'There is nobody.'}</p>}
            <ul className="entries">
              {subscribers.map((subscriber) => (
                <Entry
                  key={subscriber.id}
                  subscriber={subscriber}
                  isBusy={action.busy === subscriber.id}
                  onTakeOff={() => setLeaving(subscriber)}
                />
              ))}
            </ul>
            <Pager page={page} hasMore={hasMore} onPage={turnTo} />
          </>
        )}
      </WhenLoaded>
      <Dialog open={leaving !== null} onClose={() => setLeaving(null)} title="Take this address off?" width="30rem">
        {leaving && (
          <>
            <p>
              {leaving.email} gets no newsletter from now on, and hears of it by letter. Only its owner can subscribe it
              again.
            </p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void takeOff(leaving)}>
                Take it off
              </Button>
              <Button variant="line" onClick={() => setLeaving(null)}>
                Keep it
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
  onTakeOff,
}: {
  subscriber: ListedSubscriber
  isBusy: boolean
  onTakeOff(): void
}) {
  return (
    <li className="sheet entry">
      <div>
        <h2>{email}</h2>
        <p className="small soft">
          {imported ? importedWords(imported) : `Asked ${formatLongDate(askedAt)} (${source})`}
          {confirmedAt && ` · confirmed ${formatLongDate(confirmedAt)}`}
          {leftAt && ` · off since ${formatLongDate(leftAt)}`}
        </p>
      </div>
      {(state === 'subscribed' || state === 'pending') && (
        <Button
          variant="line"
          size="small"
          aria-label={`Take ${email} off`}
          busy={isBusy}
          busyLabel="Taking off"
          onClick={onTakeOff}
        >
          Take off
        </Button>
      )}
    </li>
  )
}

function importedWords({ at, consentOn, consentSource }: NonNullable<ListedSubscriber['imported']>): string {
  const source = consentSource ? ` (${consentSource})` : ''
  const day = formatLongDate(at)
  return consentOn
    ? `Agreed ${writeDay(consentOn)}${source} · imported ${day}`
    : `Imported, consent stated by the association on ${day}${source}`
}

const FIELDS = ['email'] as const

function AskForm() {
  const [asked, setAsked] = useState('')
  const form = useKeptForm('ask-subscriber', {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ email }) {
      setAsked('')
      setAsked((await callAsOfficer(askSubscriber, { body: { email } })).email)
      form.props.ref.current?.reset()
    },
  })
  const { email } = form.problems
  return (
    <form {...form.props} className="sheet">
      <KeptFormMessages form={form} />
      <div role="status">
        {asked && <Banner tone="good">{asked} is asked by letter, and gets the newsletter after a yes.</Banner>}
      </div>
      <Field
        label="Ask somebody whether they want it"
        name="email"
        type="email"
        autoComplete="off"
        hint="Nobody is added without their own yes."
        {...(email === undefined ? {} : { error: email })}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Asking">
        Ask by letter
      </Button>
    </form>
  )
}
