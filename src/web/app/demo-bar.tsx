import { Link } from '#web/ui/link.tsx'
import { paths } from './paths.ts'

/** Above every page of a demo. */
export function DemoBar() {
  return (
    <aside className="demo-bar" aria-label="About this demo">
      <p>
        This demo starts afresh at every full hour, and others see what you write.{' '}
        <Link to={paths.demo()}>People to log in as</Link>
      </p>
    </aside>
  )
}
