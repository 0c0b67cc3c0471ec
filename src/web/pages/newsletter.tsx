import { useEffect, useState } from 'react'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { documentPaths, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { Archive } from '#web/features/newsletter/archive.tsx'
import { NewsletterCard } from '#web/features/newsletter/newsletter-card.tsx'
import type { ArchiveStart } from '#web/features/newsletter/use-archive.ts'
import { Link } from '#web/ui/link.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/newsletter'

/** The first page and the years, so that the letters can be read before and without any script. */
export function loader({ context }: Route.LoaderArgs): Promise<ArchiveStart> {
  return context.get(pageServicesContext).archive()
}

/** On the way here through the site nothing is waited for: the archive asks by itself, and the years come when they come. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const years = serverLoader().then(
    (start) => start.years,
    () => [],
  )
  return { firstPage: null, years }
}

export function meta({ matches }: Route.MetaArgs) {
  return [
    ...pageMeta({
      contents: contentsOf(matches),
      title: 'Newsletter',
      description:
        'Every newsletter of the association of physicians of Indian origin in Georgia: search them, read them, pass them on.',
    }),
    {
      tagName: 'link',
      rel: 'alternate',
      type: 'application/rss+xml',
      href: documentPaths.newsletterFeed(),
      title: 'Newsletter feed',
    },
  ]
}

export default function NewsletterPage({ loaderData }: Route.ComponentProps) {
  const years = useYears(loaderData.years)
  const { firstPage } = loaderData
  return (
    <>
      <PageHead
        title="Newsletter"
        lead={
          <>
            Every letter we have sent since September 2025. <Link to={paths.subscribe()}>Subscribe</Link> to get the
            next one, or <Link to={paths.leaveNewsletter()}>unsubscribe</Link> in one step.
          </>
        }
      />
      <div className="wrap section archive">
        <Archive start={{ firstPage, years }} />
        <p className="small soft">
          Prefer a feed reader? Follow <a href={documentPaths.newsletterFeed()}>the newsletter feed</a>.
        </p>
      </div>
      <NewsletterCard
        title="The next one could come to you"
        source="newsletter-page"
        sent="Check your email to confirm!"
      />
    </>
  )
}

/** None until they are there. */
function useYears(coming: number[] | Promise<number[]>): number[] {
  const [years, setYears] = useState<number[]>([])

  useEffect(() => {
    if (Array.isArray(coming)) return
    let isCurrent = true
    void coming.then((known) => isCurrent && setYears(known))
    return () => {
      isCurrent = false
    }
  }, [coming])

  return Array.isArray(coming) ? coming : years
}
