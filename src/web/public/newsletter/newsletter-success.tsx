import { formatLongDate } from '#contract/dates/dates.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useSameOriginUrl } from './archive/same-origin-url.ts'
import { ResultPage } from '#web/ui/result-page.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Picture } from '#web/ui/picture.tsx'
import type { Route } from './+types/newsletter-success'

/** The latest newsletter that can be read, so that a new subscriber need not wait for one. */
export async function loader({ context }: Route.LoaderArgs) {
  const { firstPage } = await context.get(pageServicesContext).archive()
  const latest = firstPage.campaigns.find(({ absoluteViewUrl }) => absoluteViewUrl !== null)
  if (!latest?.absoluteViewUrl) return { latest: null }
  const { name, subject, sentAt, absoluteViewUrl: address, previewImageUrl: picture } = latest
  return { latest: { name, subject, sentAt, address, picture } }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'You are subscribed' })
}

export default function NewsletterSuccessPage({ loaderData: { latest } }: Route.ComponentProps) {
  return (
    <ResultPage
      spot="lotus"
      title="You are subscribed"
      actions={
        <>
          <ButtonLink variant={latest ? 'line' : 'solid'} to={paths.home()}>
            Back to home
          </ButtonLink>
          <ButtonLink variant="line" to={paths.news()}>
            Read the news
          </ButtonLink>
        </>
      }
    >
      {latest ? (
        <>
          <p>You're on the list. Here's the latest issue.</p>
          <LatestIssue {...latest} />
        </>
      ) : (
        <p>You're on the list. The next newsletter will come to your inbox.</p>
      )}
    </ResultPage>
  )
}

type Latest = NonNullable<Route.ComponentProps['loaderData']['latest']>

function LatestIssue({ name, subject, sentAt, address, picture }: Latest) {
  const ownAddress = useSameOriginUrl()
  return (
    <article className="preview-card latest-issue">
      {picture && <Picture src={ownAddress(picture)} alt="" width={1200} height={900} />}
      <div className="preview-card-body">
        <p className="meta">
          <time dateTime={sentAt}>{formatLongDate(sentAt)}</time>
        </p>
        <h2>
          <a href={ownAddress(address)}>{name}</a>
        </h2>
        <p>{subject}</p>
      </div>
    </article>
  )
}
