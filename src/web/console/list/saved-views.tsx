import { useState } from 'react'
import { useLocation } from 'react-router'
import { deleteSavedView, listSavedViews, saveView, type SavedView } from '#contract/console/people/saved-views.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { PageTabs } from '../ui/page-tabs.tsx'
import { showFailure, showToast } from '../ui/toasts.tsx'
import type { ListState } from './use-list.ts'

type Views = Loaded<{ views: SavedView[] }>

interface SavedViewsProps {
  /** The list, as its views are stored. */
  name: string
  list: Pick<ListState, 'view'>
  /** Views that every officer has; the first is the whole list. */
  usual: readonly { name: string; query: string }[]
  /** How many rows a view has, by its query. */
  counts?: Readonly<Record<string, number>> | undefined
}

/** The views of a list as tabs: the usual ones, the officer's own and those that others share. */
export function SavedViews({ name, list, usual, counts, views }: SavedViewsProps & { views: Views }) {
  const { pathname } = useLocation()
  const saved = views.value?.views ?? []
  const current = saved.find(({ query }) => query === list.view)
  const all = [...usual, ...saved]
  const tab = all.find(({ query }) => query === list.view)

  async function remove(view: SavedView) {
    try {
      views.setValue(await callAsOfficer(deleteSavedView, { params: { id: view.id } }))
      showToast(`View “${view.name}” deleted.`, {
        undo: async () => {
          const body = { list: name, name: view.name, query: view.query, isShared: view.isShared }
          views.setValue(await callAsOfficer(saveView, { body }))
        },
      })
    } catch (failure) {
      showFailure(officerErrorMessage(failure))
    }
  }

  return (
    <PageTabs
      label="Saved views"
      tabs={all.map((view) => ({
        label: view.name,
        to: view.query === '' ? pathname : `${pathname}?${view.query}`,
        isCurrent: view === tab,
        count: counts?.[view.query],
      }))}
    >
      {current?.mayDelete && (
        <button type="button" onClick={() => void remove(current)}>
          Delete view
        </button>
      )}
    </PageTabs>
  )
}

export function useSavedViews(list: string): Views {
  return useLoaded(listSavedViews, { query: { list } })
}

/** Saves the current search, filters, order and columns under a name. */
export function SaveViewButton({ name, list, views }: { name: string; list: Pick<ListState, 'view'>; views: Views }) {
  const [isOpen, setOpen] = useState(false)
  if (list.view === '' || views.value?.views.some(({ query }) => query === list.view)) return null
  return (
    <>
      <Button variant="line" size="small" onClick={() => setOpen(true)}>
        Save view
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Save view" width="28rem">
        {isOpen && (
          <SaveViewForm
            list={name}
            query={list.view}
            onSaved={(saved) => {
              views.setValue(saved)
              setOpen(false)
            }}
          />
        )}
      </Dialog>
    </>
  )
}

const FIELDS = { name: 'Name of the view' }

function SaveViewForm({
  list,
  query,
  onSaved,
}: {
  list: string
  query: string
  onSaved(views: { views: SavedView[] }): void
}) {
  const [isShared, setShared] = useState(false)
  const form = useDraftForm(`view:${list}`, {
    fields: FIELDS,
    errorMessage: officerErrorMessage,
    async send({ name }) {
      onSaved(await callAsOfficer(saveView, { body: { list, name, query, isShared } }))
      showToast(`View “${name}” saved.`)
    },
  })
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <Field
        {...form.field('name')}
        maxLength={60}
        autoComplete="off"
        hint="A view of yours with the same name is replaced."
      />
      <label className="check">
        <input type="checkbox" checked={isShared} onChange={({ target }) => setShared(target.checked)} />
        Share with all officers
      </label>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save view
      </Button>
    </form>
  )
}
