import { useState } from 'react'
import { deleteMemberView, saveMemberView, listMemberViews } from '#contract/console/member-list.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { callAsOfficer, officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { useLoaded } from '#web/console/shell/use-loaded.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'

/** The officer's saved views. */
export function MemberViews({ query }: { query: string }) {
  const saved = useLoaded(listMemberViews)
  const action = useAction()
  const [isSaving, setSaving] = useState(false)
  const views = saved.value?.views ?? []
  const isSaved = views.some((view) => view.query === query)
  if (views.length === 0 && query === '') return null
  return (
    <>
      <ActionMessages action={action} />
      <ul className="views" aria-label="Saved views">
        {views.map(({ id, name, query: kind }) => (
          <li key={id} data-current={kind === query || undefined}>
            <Link to={`/console/members?${kind}`} aria-current={kind === query ? 'true' : undefined}>
              {name}
            </Link>
            <button
              type="button"
              aria-label={`Delete view ${name}`}
              onClick={() =>
                void action.run(
                  id,
                  async () => saved.setValue(await callAsOfficer(deleteMemberView, { params: { id } })),
                  `View ${name} deleted.`,
                )
              }
            >
              ×
            </button>
          </li>
        ))}
        {query !== '' && !isSaved && (
          <li>
            <Button variant="line" size="small" onClick={() => setSaving(true)}>
              Save view
            </Button>
          </li>
        )}
      </ul>
      <Dialog open={isSaving} onClose={() => setSaving(false)} title="Save view" width="30rem">
        {isSaving && (
          <SaveForm
            query={query}
            onSaved={(next) => {
              saved.setValue(next)
              setSaving(false)
            }}
          />
        )}
      </Dialog>
    </>
  )
}

const FIELDS = ['name'] as const

function SaveForm({ query, onSaved }: { query: string; onSaved(saved: ReplyOf<typeof listMemberViews>): void }) {
  const form = useForm({
    order: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ name }) {
      onSaved(await callAsOfficer(saveMemberView, { body: { name, query } }))
    },
  })
  const { name: error } = form.errors
  return (
    <form {...form.props}>
      <FormMessages form={form} />
      <Field label="View name" name="name" autoComplete="off" maxLength={60} {...(error && { error })} />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
