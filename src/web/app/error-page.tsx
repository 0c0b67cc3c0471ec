import { isRouteErrorResponse } from 'react-router'
import type { Part } from '#contract/parts.ts'
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

/** Some belong to a part of the site that may be off. */
const OTHER_WAYS: { label: string; to: string; part?: Part }[] = [
  { label: 'Events', to: paths.events(), part: 'events' },
  { label: 'Clinic', to: paths.clinic(), part: 'clinic' },
  { label: 'Become a member', to: paths.becomeAMember() },
  { label: 'Newsletters', to: paths.newsletter(), part: 'newsletter' },
]

export function NotFoundResult() {
  const { partsOff = [] } = useFrameContents()
  return (
    <ResultPage
      spot="not-found"
      title="There is no door here"
      actions={<ButtonLink to={paths.home()}>Go to the home page</ButtonLink>}
    >
      <p className="soft">The page may have moved, or the address has a typo. Perhaps you meant one of these:</p>
      <ul className="other-ways">
        {OTHER_WAYS.filter(({ part }) => !part || !partsOff.includes(part)).map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </ResultPage>
  )
}
