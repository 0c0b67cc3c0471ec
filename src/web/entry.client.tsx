import { startTransition, StrictMode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { openAnewWhenPiecesAreMissing } from './app/open-anew.ts'
import { ALIVE } from './app/start-scripts.ts'

openAnewWhenPiecesAreMissing()
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
      <SayAlive />
    </StrictMode>,
  )
})

/** Last in the tree, so that its effect runs when everything before it listens. */
function SayAlive() {
  useEffect(() => {
    dispatchEvent(new Event(ALIVE))
  }, [])
  return null
}
