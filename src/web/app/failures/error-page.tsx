import { lazy, Suspense } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { paths } from '../paths.ts'

// Every page brings this one along; few visitors come to a wrong address.
const NotFoundResult = lazy(async () => ({ default: (await import('./not-found-result.tsx')).NotFoundResult }))

// The same element each time: an update before the script is here would take the server's markup off the page.
const NOT_FOUND = (
  <Suspense>
    <NotFoundResult />
  </Suspense>
)

/** Shown inside the frame when a page failed. No technical details; the server logs the error. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return NOT_FOUND
  return (
    <ResultPage
      spot="lamp"
      title="Something went wrong on our side"
      actions={
        <>
          <Button onClick={() => location.reload()}>Try again</Button>
          <ButtonLink variant="line" to={paths.home()} reloadDocument>
            Go to the home page
          </ButtonLink>
        </>
      }
    >
      <p className="soft">This page could not be shown. Try again in a minute; nothing you saved is lost.</p>
    </ResultPage>
  )
}
