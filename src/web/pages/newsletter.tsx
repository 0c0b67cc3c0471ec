import { Suspense, use } from 'react'
import { Link } from 'react-router'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { documentPaths, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { Archive } from '#web/features/newsletter/archive.tsx'
import { CampaignSkeleton } from '#web/features/newsletter/campaign-list.tsx'
import { NewsletterCard } from '#web/features/newsletter/newsletter-card.tsx'
import type { ArchiveStart } from '#web/features/newsletter/use-archive.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/newsletter'

/** The first page and the years, so that the letters can be read before and without any script. */
export function loader({ context }: Route.LoaderArgs): Promise<ArchiveStart> {
  return context.get(pageServicesContext).archive()
}

/** On the way here from another page the shape of the archive is shown at once; should this fail, the page asks by itself. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return { coming: serverLoader().catch(() => null) }
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
        {'coming' in loaderData ? (
          <Suspense fallback={<CampaignSkeleton view="grid" />}>
            <ArchiveToCome coming={loaderData.coming} />
          </Suspense>
        ) : (
          <Archive start={loaderData} />
        )}
        <p className="small soft">
          Prefer a reader? Follow <a href={documentPaths.newsletterFeed()}>the newsletter feed</a>.
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

function ArchiveToCome({ coming }: { coming: Promise<ArchiveStart | null> }) {
  return <Archive start={use(coming)} />
}
