import { useEffect, useState } from 'react'
import { formatDay } from '#contract/dates/days.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { requirePart } from '#web/public/require-part.ts'
import { documentPaths, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta, associationOf } from '#web/app/title.ts'
import { Archive } from './archive/archive.tsx'
import { NewsletterCard } from './newsletter-card.tsx'
import type { ArchiveInitialData } from './archive/use-archive.ts'
import { Link } from '#web/ui/link.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/newsletter'

type Known = Pick<ArchiveInitialData, 'years' | 'archiveAfter'>

const NOTHING_KNOWN: Known = { years: [], archiveAfter: null }

/** The first page and the years, so that newsletters can be read before scripts load, or without them. */
export async function loader({ context }: Route.LoaderArgs): Promise<ArchiveInitialData> {
  const services = context.get(pageServicesContext)
  await requirePart(services, 'newsletter')
  return services.archive()
}

/**
 * On client-side navigation nothing is awaited: the archive loads its own first page, and the rest is added when it
 * arrives.
 */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return { firstPage: null, known: serverLoader().catch(() => NOTHING_KNOWN) }
}

export function meta({ matches }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return [
    ...pageMeta({
      contents,
      title: 'Newsletter',
      description: `Every newsletter of ${associationOf(contents).name}: search them, read them, pass them on.`,
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
            Every newsletter{archiveAfter && ` since ${formatDay(archiveAfter)}`}.{' '}
            <Link to={paths.subscribe()}>Subscribe</Link> to get the next one, or{' '}
            <Link to={paths.unsubscribe()}>unsubscribe</Link> in one step.
          </>
        }
      />
      <div className="wrap section archive">
        <Archive
          start={{ firstPage, years, archiveAfter }}
          invitation={
            <NewsletterCard
              title="The next one could come to you"
              source="newsletter-page"
              sent="Check your email to confirm!"
            />
          }
        />
        <p className="small soft">
          Prefer a feed reader? Follow <a href={documentPaths.newsletterFeed()}>the newsletter feed</a>.
        </p>
      </div>
    </>
  )
}

/** Empty until loaded. */
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
