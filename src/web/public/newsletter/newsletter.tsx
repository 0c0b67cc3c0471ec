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

type Known = Pick<ArchiveStart, 'years' | 'archiveAfter'>

const NOTHING_KNOWN: Known = { years: [], archiveAfter: null }

/** The first page and the years, so that the letters can be read before and without any script. */
export function loader({ context }: Route.LoaderArgs): Promise<ArchiveStart> {
  return context.get(pageServicesContext).archive()
}

/** On the way here through the site nothing is waited for: the archive asks by itself, and what else the server knows comes when it comes. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return { firstPage: null, known: serverLoader().catch(() => NOTHING_KNOWN) }
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
  const { years, archiveAfter } = useKnown('known' in loaderData ? loaderData.known : loaderData)
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
        <Archive start={{ firstPage, years, archiveAfter }} />
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

/** Nothing until it is there. */
function useKnown(coming: Known | Promise<Known>): Known {
  const [known, setKnown] = useState(NOTHING_KNOWN)

  useEffect(() => {
    if (!(coming instanceof Promise)) return
    let isCurrent = true
    void coming.then((answer) => isCurrent && setKnown(answer))
    return () => {
      isCurrent = false
    }
  }, [coming])

  return coming instanceof Promise ? known : coming
}
