import type { BodyKey, HeadedPage } from '#contract/public/association.ts'
import { USUAL_MENU, type MenuEntry } from '#contract/menu.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { EmptyPeopleList } from './empty-people-list.tsx'
import { Invitation } from './invitation.tsx'
import { People } from './people.tsx'
import { sinceLabel } from './since-label.rules.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { NavigationLink } from '#web/ui/link.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/leaders'

const BODIES: Record<BodyKey, { path: string; head: HeadedPage }> = {
  'executive-committee': { path: paths.executiveCommittee(), head: 'executiveCommittee' },
  'board-directors': { path: paths.boardDirectors(), head: 'boardDirectors' },
  'board-trustees': { path: paths.boardTrustees(), head: 'boardTrustees' },
}

/** Executive committee, directors and trustees; the pathname without its slash is the body's key. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const key = url.pathname.slice(1) as BodyKey
  const services = context.get(pageServicesContext)
  const [{ menu }, body, images, head] = await Promise.all([
    services.rootData(),
    services.leaderBody(key),
    services.pictures('exec', 'team'),
    services.pageHead(BODIES[key].head),
  ])
  const entryOf = (path: string, entries: readonly MenuEntry[]) => entries.filter((entry) => entry.path === path)
  const [usual] = entryOf(url.pathname, USUAL_MENU)
  const [entry] = entryOf(url.pathname, menu)
  return {
    key,
    body,
    images,
    title: body?.title ?? entry?.label ?? usual?.label ?? '',
    // A body that the association does not have is hidden from the menu.
    bodies: Object.values(BODIES).flatMap(({ path }) => entryOf(path, menu)),
    description: head.description,
    since: sinceLabel(key, entry?.label),
  }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { title, description } = loaderData
  return pageMeta({ contents: contentsOf(matches), title, description })
}

export default function LeadersPage({ loaderData: { key, title, body, bodies, images, since } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  return (
    <>
      <PageHead
        title={title}
        lead={body?.lead}
        // Some titles name the term themselves.
        eyebrow={body && !body.title.includes(body.term) ? `Term ${body.term}` : undefined}
      >
        <nav aria-label="Boards">
          <ul className="chips">
            {bodies.map(({ label, path }) => (
              <li key={path}>
                <NavigationLink className="chip" to={path}>
                  {label}
                </NavigationLink>
              </li>
            ))}
          </ul>
        </nav>
      </PageHead>
      <div className="wrap section">
        {body ? (
          <People key={key} members={body.members} images={images} sinceLabel={since} />
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
