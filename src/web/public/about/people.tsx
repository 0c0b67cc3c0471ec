import type { Leader } from '#contract/association.ts'
import type { StoredImage } from '#contract/media.ts'
import { portraitOf } from '#web/features/media/stored-images.rules.ts'
import { Picture } from '#web/ui/picture.tsx'
import { initials, platesFor } from './plate.rules.ts'

interface PeopleProps {
  members: Leader[]
  /** The portraits, as the server saw them. */
  images: StoredImage[]
}

/** People with their portrait, or on a printed plate: name, role, town. */
export function People({ members, images }: PeopleProps) {
  const plates = platesFor(members.map(({ name }) => name))
  return (
    <ul className="people">
      {members.map(({ name, role, location }, index) => {
        const portrait = portraitOf({ list: 'leaders', name }, images)
        return (
          <li key={name}>
            <div className="plate">
              {portrait ? (
                <Picture
                  src={portrait.url}
                  alt={portrait.alt ?? `Portrait of ${name}`}
                  width={600}
                  height={700}
                  sizes={portrait.sizes}
                  shownAt="(min-width: 64rem) 18rem, (min-width: 34rem) 45vw, 92vw"
                  first={index === 0}
                />
              ) : (
                <>
                  <Picture src={plates[index] ?? ''} alt="" width={600} height={700} first={index === 0} />
                  <b aria-hidden="true">{initials(name)}</b>
                </>
              )}
            </div>
            <h2>{name}</h2>
            {role && <p>{role}</p>}
            {location && <p className="meta">{location}</p>}
          </li>
        )
      })}
    </ul>
  )
}
