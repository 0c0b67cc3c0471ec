import type { Leader } from '#contract/public/association.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { portraitOf } from '#web/shared/stored-images.rules.ts'
import { Picture } from '#web/ui/picture.tsx'
import { initials, platesFor } from './plate.rules.ts'

interface PeopleProps {
  members: Leader[]
  /** The portraits from the server. */
  images: StoredImage[]
}

/** People with their portrait or an illustrated plate: name, role, town. */
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
                  displayWidth="(min-width: 64rem) 18rem, (min-width: 34rem) 45vw, 92vw"
                  isPriority={index === 0}
                />
              ) : (
                <>
                  <Picture src={plates[index] ?? ''} alt="" width={600} height={700} isPriority={index === 0} />
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
