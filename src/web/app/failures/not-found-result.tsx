import type { Part } from '#contract/parts.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { paths } from '../paths.ts'

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
