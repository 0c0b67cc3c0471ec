import { startTransition, StrictMode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { reopenOnMissingScript } from './app/failures/reopen-on-missing-script.ts'
import { INTERACTIVE } from './app/document/start-scripts.ts'

reopenOnMissingScript()
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
      <SignalInteractive />
    </StrictMode>,
  )
})

/** Last in the tree, so that its effect runs after all other effects have added their listeners. */
function SignalInteractive() {
  useEffect(() => {
    dispatchEvent(new Event(INTERACTIVE))
  }, [])
  return null
}
