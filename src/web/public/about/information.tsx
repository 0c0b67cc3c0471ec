import { data } from 'react-router'
import type { TextPage } from '#contract/public/association.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Picture } from '#web/ui/picture.tsx'
import { Quote } from '#web/public/quote.tsx'
import { StateBar } from '#web/ui/state-bar.tsx'
import { SplitHead } from '../split-head.tsx'
import { ActionButton } from './action-button.tsx'
import { countdownText } from './countdown.rules.ts'
import { OfficersRow } from './officers-row.tsx'
import { Aims, Cards, Eligibility, Timeline } from './page-parts.tsx'
import { FactsPanel } from './side-panel.tsx'
import { splitFirstSection } from './split-text.rules.ts'
import type { Route } from './+types/information'

/**
 * A page of text with what its record has: a headline, aims, a quotation, a timeline, cards and a panel of facts. The
 * pathname without its slash is the page's key.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const hasOfficers = url.pathname === paths.about()
  const [page, officers, images] = await Promise.all([
    services.textPage(url.pathname.slice(1)),
    hasOfficers ? services.leaderBody('executive-committee') : null,
    hasOfficers ? services.pictures('exec', 'team') : [],
  ])
  if (!page) throw data(null, { status: 404 })
  return { page, officers, images }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { title, description } = loaderData.page
  return pageMeta({ contents: contentsOf(matches), title, description })
}

export default function InformationPage({ loaderData: { page, officers, images } }: Route.ComponentProps) {
  const { items, itemsTitle, quote, html, timeline, cards, eligibility } = page
  const [first, rest] = splitFirstSection(html)
  return (
    <>
      <Countdown page={page} />
      <Head page={page} />
      {items.length > 0 && <Aims items={items} itemsTitle={itemsTitle} />}
      <div className="wrap section">
        <div className="passage panel-first">
          <div className="words">
            {page.statement === null && <PassagePicture page={page} />}
            <Eligibility {...eligibility} />
            {/* Sanitized on the server. */}
            <div className="prose" dangerouslySetInnerHTML={{ __html: first }} />
            {quote && <Quote {...quote} />}
            {rest && <div className="prose" dangerouslySetInnerHTML={{ __html: rest }} />}
          </div>
          <FactsPanel page={page} />
        </div>
      </div>
      {timeline.entries.length > 0 && <Timeline {...timeline} />}
      {officers && <OfficersRow officers={officers.members} images={images} />}
      {cards.length > 0 && <Cards cards={cards} />}
    </>
  )
}

function Countdown({ page: { countdown, action } }: { page: TextPage }) {
  if (!countdown) return null
  const { when, date } = countdownText(countdown)
  return (
    <StateBar tone="ask" label="Deadline" title={`Applications close ${when}.`} text={`${date} is the last day.`}>
      {action && <ActionButton action={action} />}
    </StateBar>
  )
}

function Head({ page: { title, statement, lead, picture } }: { page: TextPage }) {
  if (statement === null) return <PageHead title={title} lead={lead} />
  return (
    <SplitHead
      title={title}
      statement={statement}
      lead={lead}
      picture={
        picture && <Picture src={imageUrl(picture.name)} alt={picture.alt} width={1200} height={900} isPriority />
      }
    />
  )
}

function PassagePicture({ page: { picture } }: { page: TextPage }) {
  if (!picture) return null
  return (
    <figure className="passage-picture">
      <Picture src={imageUrl(picture.name)} alt={picture.alt} width={1200} height={750} />
    </figure>
  )
}
