import { useNavigate } from 'react-router'
import { beginNewsletter, listNewsletters, type NewsletterEntry } from '#contract/console-newsletter.ts'
import { formatLongDate, formatMoment } from '#contract/dates.ts'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { KeptFormMessages } from '#web/features/console/kept-form-messages.tsx'
import { useKeptForm } from '#web/features/console/use-kept-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

const STATES = {
  draft: ['quiet', 'Draft'],
  scheduled: ['warn', 'Scheduled'],
  sending: ['warn', 'Being sent'],
  paused: ['bad', 'Paused'],
  finished: ['ok', 'Sent'],
  archived: ['quiet', 'In the archive'],
} as const

/** All newsletters; one is begun here. */
export default function NewslettersPage() {
  const found = useLoaded('newsletters', async () => (await callAsOfficer(listNewsletters)).newsletters)
  return (
    <ConsolePage
      title="Newsletter"
      lead="Composed here, sent to everybody who asked for it, and kept in the archive."
      action={
        <ButtonLink variant="line" to="/console/subscribers">
          Subscribers
        </ButtonLink>
      }
    >
      <BeginForm />
      <WhenLoaded loaded={found} what="the newsletters">
        {(newsletters) => (
          <>
            {newsletters.length === 0 && <p className="sheet">There is none yet. Begin the first one above.</p>}
            <ul className="entries">
              {newsletters.map((newsletter) => (
                <Entry key={newsletter.id} newsletter={newsletter} />
              ))}
            </ul>
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}

function Entry({
  newsletter: { id, name, subject, state, updatedAt, sentAt, scheduledFor },
}: {
  newsletter: NewsletterEntry
}) {
  const [tone, word] = STATES[state]
  return (
    <li className="sheet entry">
      <div>
        <h2>
          <Link to={`/console/newsletter/${encodeURIComponent(id)}`}>{name}</Link>
        </h2>
        <p>{subject}</p>
        <p className="small soft">
          {scheduledFor
            ? `Goes out on ${formatMoment(scheduledFor)}`
            : sentAt
              ? `Sent ${formatLongDate(sentAt)}`
              : `Changed ${formatMoment(updatedAt)}`}
        </p>
      </div>
      <Badge tone={tone}>{word}</Badge>
    </li>
  )
}

const FIELDS = ['name'] as const

function BeginForm() {
  const navigate = useNavigate()
  const form = useKeptForm('new-newsletter', {
    order: FIELDS,
    explain: explainToOfficer,
    async send({ name }) {
      const { id } = await callAsOfficer(beginNewsletter, { body: { name } })
      await navigate(`/console/newsletter/${id}`)
    },
  })
  const { name } = form.problems
  return (
    <form {...form.props} className="sheet">
      <KeptFormMessages form={form} />
      <Field
        label="Title of a new newsletter"
        name="name"
        autoComplete="off"
        {...(name === undefined ? {} : { error: name })}
      />
      <Button type="submit" busy={form.isSending} busyLabel="Beginning">
        Begin
      </Button>
    </form>
  )
}
