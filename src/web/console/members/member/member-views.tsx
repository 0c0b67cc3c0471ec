import { useState } from 'react'
import { dropMemberView, keepMemberView, listMemberViews } from '#contract/console-members.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer, explainToOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { FormMessages } from '#web/features/forms/form-messages.tsx'
import { useForm } from '#web/features/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

/** The lists an officer comes back to, by name. */
export function MemberViews({ query }: { query: string }) {
  const kept = useLoaded('views', async () => (await callAsOfficer(listMemberViews)).views)
  const action = useAction()
  const [isKeeping, setKeeping] = useState(false)
  const views = kept.value ?? []
  const isKept = views.some((view) => view.query === query)
  if (views.length === 0 && query === '') return null
  return (
    <>
      <ActionMessages action={action} />
      <ul className="views" aria-label="Views you keep">
        {views.map(({ id, name, query: kind }) => (
          <li key={id} data-current={kind === query || undefined}>
            <Link to={`/console/members?${kind}`} aria-current={kind === query ? 'true' : undefined}>
              {name}
            </Link>
            <button
              type="button"
              aria-label={`Forget the view ${name}`}
              onClick={() =>
                void action.run(
                  id,
                  async () => kept.setValue((await callAsOfficer(dropMemberView, { params: { id } })).views),
                  `The view ${name} is forgotten.`,
                )
              }
            >
              ×
            </button>
          </li>
        ))}
        {query !== '' && !isKept && (
          <li>
            <Button variant="line" size="small" onClick={() => setKeeping(true)}>
              Keep this view
            </Button>
          </li>
        )}
      </ul>
      <Dialog open={isKeeping} onClose={() => setKeeping(false)} title="Keep this view" width="30rem">
        {isKeeping && (
          <KeepForm
            query={query}
            onKept={(next) => {
              kept.setValue(next)
              setKeeping(false)
            }}
          />
        )}
      </Dialog>
    </>
  )
}

const FIELDS = ['name'] as const

function KeepForm({
  query,
  onKept,
}: {
  query: string
  onKept(views: { id: string; name: string; query: string }[]): void
}) {
  const form = useForm({
    order: FIELDS,
    explain: explainToOfficer,
    async send({ name }) {
      onKept((await callAsOfficer(keepMemberView, { body: { name, query } })).views)
    },
  })
  const { name: error } = form.problems
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="Name of the view" name="name" autoComplete="off" maxLength={60} {...(error && { error })} />
      <Button type="submit" busy={form.isSending} busyLabel="Keeping it">
        Keep it
      </Button>
    </form>
  )
}
