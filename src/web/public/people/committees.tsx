import type { Committee } from '#contract/public/association.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contactWithSubject } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { EmptyPeopleList } from './empty-people-list.tsx'
import { Invitation } from './invitation.tsx'
import { Portrait } from './portrait.tsx'
import { MoreLink } from '#web/ui/button.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/committees'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [list, head] = await Promise.all([services.committees(), services.pageHead('committees')])
  return { list, head }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: `Committees ${loaderData?.list?.term ?? ''}`.trim(),
    description: loaderData?.head.description,
  })
}

export default function CommitteesPage({ loaderData: { list, head } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  return (
    <>
      <PageHead title={`Committees ${list?.term ?? ''}`.trim()} lead={head.lead} />
      <div className="wrap section">
        {list ? (
          <ul className="committees">
            {list.committees.map((committee) => (
              <CommitteeCard key={committee.id} committee={committee} />
            ))}
          </ul>
        ) : (
          <EmptyPeopleList email={association.email} />
        )}
      </div>
      <Invitation title="Not sure which one?" label="Introduce me" to={contactWithSubject('Committee: not sure yet')}>
        Tell us what you’d enjoy, and we’ll introduce you.
      </Invitation>
    </>
  )
}

function CommitteeCard({ committee: { id, title, blurb, members, portrait } }: { committee: Committee }) {
  const [chair, ...others] = members
  return (
    <li id={id}>
      <div className={portrait === null ? 'committee-head' : 'committee-head pictured'}>
        {portrait !== null && <Portrait picture={{ src: imageUrl(portrait), alt: '' }} displayWidth="8rem" />}
        <div>
          <h2>{title}</h2>
          {chair !== undefined && (
            <>
              <p className="eyebrow">Chair</p>
              <p>{chair}</p>
            </>
          )}
        </div>
      </div>
      <p>{blurb}</p>
      {others.length > 0 && (
        <div className="committee-names">
          <span>With</span>
          <ul aria-label={`Other members of ${title}`}>
            {others.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </div>
      )}
      <p>
        <MoreLink to={contactWithSubject(`Committee: ${title}`)}>
          Join this committee<span className="visually-hidden">: {title}</span>
        </MoreLink>
      </p>
    </li>
  )
}
