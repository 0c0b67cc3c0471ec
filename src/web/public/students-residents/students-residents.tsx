import { data } from 'react-router'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { ScrollLink } from './scroll-link.tsx'
import { groupForumSections, type Section } from './sections.rules.ts'
import { Team } from './team.tsx'
import { ButtonLink, MoreLink } from '#web/ui/button.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Picture } from '#web/ui/picture.tsx'
import { Steps } from '#web/ui/steps.tsx'
import type { Route } from './+types/students-residents'
import { useFrameContents } from '#web/shared/frame-contents.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [page, team, images] = await Promise.all([
    services.textPage('students-residents'),
    services.forumTeam(),
    services.pictures('exec', 'team'),
  ])
  if (!page) throw data(null, { status: 404 })
  return { page, team, images }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { title, description } = loaderData.page
  return pageMeta({ contents: contentsOf(matches), title, description, sharePicture: sharePicture('forum') })
}

const JOIN = 'join'
const TEAM = 'team'

type Contents = Route.ComponentProps['loaderData']

export default function StudentsResidentsPage({ loaderData: { page, team, images } }: Route.ComponentProps) {
  const { aims, join, others } = groupForumSections(page.html)
  return (
    <>
      <Hero page={page} hasTeam={team.length > 0} />
      <div className="wrap section forum-text">
        {[...aims, ...others].map((section) => (
          <TextSection key={section.title} section={section} isAim={aims.includes(section)} />
        ))}
      </div>
      {team.length > 0 && (
        <section className="section ground" aria-labelledby={TEAM}>
          <div className="wrap">
            <h2 id={TEAM} tabIndex={-1}>
              Executive team
            </h2>
            <Team members={team} images={images} />
          </div>
        </section>
      )}
      <Join page={page} join={join} />
    </>
  )
}

function Hero({ page: { title, lead, picture }, hasTeam }: { page: Contents['page']; hasTeam: boolean }) {
  const { association } = useFrameContents()
  return (
    <div className="hero">
      <div className="hero-text">
        <p className="eyebrow">
          For everyone in training{association.address.region && ` in ${association.address.region}`}
        </p>
        <h1 tabIndex={-1}>{title}</h1>
        <p className="lead">{lead}</p>
        <div className="buttons">
          <ScrollLink to={JOIN}>Join the forum</ScrollLink>
          {hasTeam && (
            <ScrollLink to={TEAM} variant="line">
              Meet the team
            </ScrollLink>
          )}
        </div>
      </div>
      {picture && (
        <div className="window panel">
          <figure className="jharokha">
            <Picture src={imageUrl(picture.name)} alt={picture.alt} width={1200} height={900} isPriority />
          </figure>
        </div>
      )}
    </div>
  )
}

function TextSection({ section: { title, html }, isAim }: { section: Section; isAim: boolean }) {
  return (
    <section className={isAim ? 'forum-aim' : undefined}>
      {title && <h2>{title}</h2>}
      {/* Sanitized on the server. */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  )
}

function Join({ page: { items, facts, more }, join }: { page: Contents['page']; join: Section | null }) {
  return (
    <section className="section" aria-labelledby={JOIN}>
      <div className="wrap">
        <h2 id={JOIN} tabIndex={-1}>
          {join?.title ?? 'Join the forum'}
        </h2>
        <div className="forum-steps">
          <Steps steps={items} />
        </div>
        <div className="passage">
          <div>
            {/* Sanitized on the server. */}
            {join && <div className="prose" dangerouslySetInnerHTML={{ __html: join.html }} />}
            <div className="buttons forum-buttons">
              <ButtonLink to={paths.becomeAMember()}>Choose a membership</ButtonLink>
            </div>
          </div>
          <aside className="detail-panel panel" aria-label="At a glance">
            <dl className="details">
              {facts.map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <ul className="more-links">
              {more.map(({ label, path }) => (
                <li key={path}>
                  <MoreLink to={path}>{label}</MoreLink>
                </li>
              ))}
            </ul>
          </aside>
        </div>
      </div>
    </section>
  )
}
