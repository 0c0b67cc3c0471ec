import type { Leader } from '#contract/public/association.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { portraitOf } from '#web/shared/stored-images.rules.ts'
import { Picture } from '#web/ui/picture.tsx'
import { standInsFor } from './stand-in.rules.ts'

/** The class of the list for the number of people who lead. */
const LAYOUTS = ['people', 'people chaired', 'people officers'] as const

interface PeopleProps {
  members: Leader[]
  /** The portraits from the server. */
  images: StoredImage[]
}

/** People with their portrait, or a drawing that stands in: role, name, town. Those who lead come first and large. */
export function People({ members, images }: PeopleProps) {
  const standIns = standInsFor(members.map(({ name }) => name))
  const leads = leadCount(members)
  return (
    <ul className={LAYOUTS[leads]}>
      {members.map(({ name, role, location }, index) => {
        const portrait = portraitOf({ list: 'leaders', name }, images)
        const isLead = index < leads
        return (
          <li key={name} className={isLead ? 'lead-person' : undefined}>
            <div className="portrait">
              <Picture
                src={portrait?.url ?? standIns[index] ?? ''}
                alt={portrait ? (portrait.alt ?? `Portrait of ${name}`) : ''}
                width={600}
                height={700}
                sizes={portrait?.sizes}
                displayWidth={isLead ? '(min-width: 64rem) 19rem, 45vw' : '(min-width: 64rem) 18rem, 45vw'}
                isPriority={index === 0}
              />
            </div>
            <div>
              {role && <p className="eyebrow">{role}</p>}
              <h2>{name}</h2>
              {location && <p className="meta">{location}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** The first two of the officers; only the chair of a board; no one where there are no roles. */
function leadCount([first, second]: readonly Leader[]): 0 | 1 | 2 {
  if (!first?.role) return 0
  return second?.role ? 2 : 1
}
