import type { Leader } from '#contract/association.ts'
import { Picture } from '#web/ui/picture.tsx'
import { initials, platesFor } from './plate.rules.ts'

/** People on printed plates: name, role, town. */
export function People({ members }: { members: Leader[] }) {
  const plates = platesFor(members.map(({ name }) => name))
  return (
    <ul className="people">
      {members.map(({ name, role, location }, index) => (
        <li key={name}>
          <div className="plate">
            <Picture src={plates[index] ?? ''} alt="" width={600} height={700} first={index === 0} />
            <b aria-hidden="true">{initials(name)}</b>
          </div>
          <h2>{name}</h2>
          {role && <p>{role}</p>}
          {location && <p className="meta">{location}</p>}
        </li>
      ))}
    </ul>
  )
}
