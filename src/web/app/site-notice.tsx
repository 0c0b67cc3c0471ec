import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'
import { paths } from './paths.ts'

/** What few sites say on every page: that they are a demo, or that their texts are not all written. */
export function SiteNotice({ about }: { about: 'demo' | 'unfinished' }) {
  if (about === 'unfinished')
    return (
      <Banner tone="note" title="This site is being set up.">
        Some of its texts are not written yet.
      </Banner>
    )
  return (
    <aside className="demo-bar" aria-label="About this demo">
      <p>
        This demo starts afresh at every full hour, and others see what you write.{' '}
        <Link to={paths.demo()}>People to log in as</Link>
      </p>
    </aside>
  )
}
