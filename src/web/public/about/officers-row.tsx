import type { Leader } from '#contract/public/association.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { paths } from '#web/app/paths.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Portrait, portraitsOf } from '../people/portrait.tsx'

/** The officers with portrait, office and name; each leads to their page. */
export function OfficersRow({ officers, images }: { officers: Leader[]; images: StoredImage[] }) {
  const portraits = portraitsOf(officers, images)
  return (
    <section className="wrap section" aria-labelledby="officers">
      <div className="head">
        <h2 id="officers">Elected to serve</h2>
        <MoreLink to={paths.executiveCommittee()}>Meet everyone</MoreLink>
      </div>
      <ul className="people officers-row">
        {officers.map(({ name, role }, index) => {
          const picture = portraits[index]
          return (
            <li key={name}>
              {picture && <Portrait picture={picture} displayWidth="(min-width: 48rem) 15vw, 45vw" />}
              <div>
                {role && <p className="eyebrow">{role}</p>}
                <h3>
                  <Link to={paths.executiveCommittee()}>{name}</Link>
                </h3>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
