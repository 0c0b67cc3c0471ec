import { useNavigate } from 'react-router'
import { createNewsletter, listNewsletters, type NewsletterEntry } from '#contract/console/newsletter.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

const STATES = {
  draft: ['quiet', 'Draft'],
  scheduled: ['warn', 'Scheduled'],
  sending: ['warn', 'Sending'],
  paused: ['bad', 'Paused'],
  finished: ['ok', 'Sent'],
  archived: ['quiet', 'Sent'],
} as const

/** All newsletters, and a form to create one. */
export default function NewslettersPage() {
  const found = useLoaded(listNewsletters)
  return (
    <ConsolePage
      title="Newsletter"
      lead="Write it here, send it to all subscribers, and find it in the archive."
      action={
        <ButtonLink variant="line" to="/console/subscribers">
          Subscribers
        </ButtonLink>
      }
    >
      <CreateForm />
      <WhenLoaded loaded={found} what="the newsletters">
        {({ newsletters }) => (
          <>
            {newsletters.length === 0 && <p className="card">No newsletters yet. Create the first one above.</p>}
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
  const [tone, label] = STATES[state]
  return (
    <li className="card entry">
      <div>
        <h2>
          <Link to={`/console/newsletter/${encodeURIComponent(id)}`}>{name}</Link>
        </h2>
        <p>{subject}</p>
        <p className="small soft">
          {scheduledFor
            ? `Scheduled for ${formatMoment(scheduledFor)}`
            : sentAt
              ? `Sent ${formatLongDate(sentAt)}`
              : `Changed ${formatMoment(updatedAt)}`}
        </p>
      </div>
      <Badge tone={tone}>{label}</Badge>
    </li>
  )
}

const FIELDS = { name: 'New newsletter' }

function CreateForm() {
  const navigate = useNavigate()
  const form = useDraftForm('new-newsletter', {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ name }) {
      const { id } = await callAsOfficer(createNewsletter, { body: { name } })
      await navigate(`/console/newsletter/${id}`)
    },
  })
  return (
    <form {...form.props} className="card">
      <DraftFormMessages form={form} />
      <Field {...form.field('name')} autoComplete="off" />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Creating">
        Create
      </Button>
    </form>
  )
}
