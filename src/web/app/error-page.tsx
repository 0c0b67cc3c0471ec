import { isRouteErrorResponse } from 'react-router'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { paths } from './paths.ts'

/** What stands inside the frame when a page failed. The visitor hears nothing technical; the server keeps the record. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundAnswer />
  return (
    <AnswerPage
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
    </AnswerPage>
  )
}

export function NotFoundAnswer() {
  return (
    <AnswerPage
      spot="not-found"
      title="There is no door here"
      actions={<ButtonLink to={paths.home()}>Go to the home page</ButtonLink>}
    >
      <p className="soft">The page may have moved, or the address has one letter too many.</p>
    </AnswerPage>
  )
}
