import { isRouteErrorResponse } from 'react-router'
import { isOff } from '#contract/parts.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
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

const OTHER_WAYS = [
  { label: 'Events', to: paths.events() },
  { label: 'Clinic', to: paths.clinic() },
  { label: 'Become a member', to: paths.becomeAMember() },
  { label: 'Newsletters', to: paths.newsletter() },
]

export function NotFoundResult() {
  const { partsOff } = useFrameContents()
  return (
    <ResultPage
      spot="not-found"
      title="There is no door here"
      actions={<ButtonLink to={paths.home()}>Go to the home page</ButtonLink>}
    >
      <p className="soft">The page may have moved, or the address has a typo. Perhaps you meant one of these:</p>
      <ul className="other-ways">
        {OTHER_WAYS.filter(({ to }) => !isOff(to, partsOff)).map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </ResultPage>
  )
}
