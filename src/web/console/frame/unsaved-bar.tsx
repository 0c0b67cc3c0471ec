import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useAllUnsavedChanges } from '../forms/unsaved-changes.ts'
import { showToast } from '../ui/toasts.tsx'

/** In the top bar, instead of the search field: which fields are not saved, with Discard and Save. */
export function UnsavedBar() {
  const shown = [...useAllUnsavedChanges().values()].filter(({ savesItself }) => !savesItself)
  const isShown = shown.length > 0
  const text = `Unsaved: ${shown.flatMap(({ fields }) => fields).join(', ')}`
  const wasPressed = useRef(false)

  useEffect(() => {
    if (isShown || !wasPressed.current) return
    wasPressed.current = false
    // The pressed button is gone: the keyboard goes on at the page.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main')?.focus()
  }, [isShown])

  function discard() {
    wasPressed.current = true
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
              wasPressed.current = true
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
