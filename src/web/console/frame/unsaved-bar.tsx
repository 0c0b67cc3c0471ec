import { Button } from '#web/ui/button.tsx'
import { useAllUnsavedChanges } from '../forms/unsaved-changes.ts'
import { showToast } from '../ui/toasts.tsx'
import { useNextFocus } from '../ui/use-next-focus.ts'

/** In the top bar, instead of the search field: which fields are not saved, with Discard and Save. */
export function UnsavedBar() {
  const shown = [...useAllUnsavedChanges().values()].filter(({ savesItself }) => !savesItself)
  const isShown = shown.length > 0
  const text = `Unsaved: ${shown.flatMap(({ fields }) => fields).join(', ')}`
  const moveFocus = useNextFocus(isShown)

  function discard() {
    moveFocus()
    const restore = shown.map((changes) => changes.discard())
    showToast('Changes discarded.', {
      undo() {
        for (const bringBack of restore) bringBack()
      },
    })
  }

  return (
    <div className="unsaved" role="group" aria-label="Unsaved changes" hidden={!isShown}>
      <p role="status" title={text}>
        {isShown && text}
      </p>
      {isShown && (
        <>
          <button type="button" className="bar-button" onClick={discard}>
            Discard
          </button>
          <Button
            size="small"
            aria-keyshortcuts="Control+S"
            busy={shown.some(({ isSaving }) => isSaving)}
            busyLabel="Saving"
            onClick={() => {
              moveFocus()
              for (const changes of shown) changes.save()
            }}
          >
            Save
          </Button>
        </>
      )}
    </div>
  )
}
