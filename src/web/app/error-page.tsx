import { isRouteErrorResponse } from 'react-router'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { paths } from './paths.ts'

/** Shown inside the frame when a page failed. No technical details; the server logs the error. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundResult />
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

export function NotFoundResult() {
  return (
    <ResultPage
      spot="not-found"
      title="There is no door here"
      actions={<ButtonLink to={paths.home()}>Go to the home page</ButtonLink>}
    >
      <p className="soft">The page may have moved, or the address has a typo.</p>
    </ResultPage>
  )
}
