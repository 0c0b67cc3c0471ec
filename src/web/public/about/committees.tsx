import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contactWithSubject } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { EmptyPeopleList } from './empty-people-list.tsx'
import { MoreLink } from '#web/ui/button.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/committees'

export async function loader({ context }: Route.LoaderArgs) {
  return { list: await context.get(pageServicesContext).committees() }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: `Committees ${loaderData?.list?.term ?? ''}`.trim(),
    description:
      'The committees that plan our lectures, clinic, celebrations and advocacy, what each one does, and the members who serve on it.',
  })
}

export default function CommitteesPage({ loaderData: { list } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  return (
    <>
      <PageHead
        title={`Committees ${list?.term ?? ''}`.trim()}
        lead="Most of what we do is done by one of these. Each would be glad of one more."
      />
      <div className="wrap section">
        {list ? (
          <ul className="committees">
            {list.committees.map(({ id, title, blurb, members }) => (
              <li key={id} id={id}>
                <h2>{title}</h2>
                <p className="soft">{blurb}</p>
                <ul aria-label={`Members of ${title}`}>
                  {members.map((name) => (
                    <li key={name}>{name}</li>
                  ))}
                </ul>
                <p>
                  <MoreLink to={contactWithSubject(`Committee: ${title}`)}>
                    Join this committee<span className="visually-hidden">: {title}</span>
                  </MoreLink>
                </p>
              </li>
            ))}
          </ul>
        ) : (
          <EmptyPeopleList email={association.email} />
        )}
      </div>
    </>
  )
}
