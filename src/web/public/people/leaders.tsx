import type { BodyKey, HeadedPage } from '#contract/public/association.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { EmptyPeopleList } from './empty-people-list.tsx'
import { Invitation } from './invitation.tsx'
import { People } from './people.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { NavigationLink } from '#web/ui/link.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/leaders'

const BODIES: Record<BodyKey, { title: string; path: string; sinceLabel: string; head: HeadedPage }> = {
  'executive-committee': {
    title: 'Executive Committee',
    path: paths.executiveCommittee(),
    sinceLabel: 'Officer since',
    head: 'executiveCommittee',
  },
  'board-directors': {
    title: 'Board of Directors',
    path: paths.boardDirectors(),
    sinceLabel: 'Director since',
    head: 'boardDirectors',
  },
  'board-trustees': {
    title: 'Board of Trustees',
    path: paths.boardTrustees(),
    sinceLabel: 'Trustee since',
    head: 'boardTrustees',
  },
}

/** Executive committee, directors and trustees; the pathname without its slash is the body's key. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const key = url.pathname.slice(1) as BodyKey
  const services = context.get(pageServicesContext)
  const [body, images, head] = await Promise.all([
    services.leaderBody(key),
    services.pictures('exec', 'team'),
    services.pageHead(BODIES[key].head),
  ])
  return { key, body, images, description: head.description }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { key, body, description } = loaderData
  return pageMeta({ contents: contentsOf(matches), title: body?.title ?? BODIES[key].title, description })
}

export default function LeadersPage({ loaderData: { key, body, images } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  return (
    <>
      <PageHead
        title={body?.title ?? BODIES[key].title}
        lead={body?.lead}
        // Some titles name the term themselves.
        eyebrow={body && !body.title.includes(body.term) ? `Term ${body.term}` : undefined}
      >
        <nav aria-label="Boards">
          <ul className="chips">
            {Object.values(BODIES).map(({ title, path }) => (
              <li key={path}>
                <NavigationLink className="chip" to={path}>
                  {title}
                </NavigationLink>
              </li>
            ))}
          </ul>
        </nav>
      </PageHead>
      <div className="wrap section">
        {body ? (
          <People key={key} members={body.members} images={images} sinceLabel={BODIES[key].sinceLabel} />
        ) : (
          <EmptyPeopleList email={association.email} />
        )}
      </div>
      <Invitation title="Someone should stand here next year." label="See the committees" to={paths.committees()}>
        Annual and Life Members vote and hold office. A committee is a good place to start.
      </Invitation>
    </>
  )
}
