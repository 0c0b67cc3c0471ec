import type { Leader } from '#contract/public/association.ts'
import { Portrait, type PortraitPicture } from './portrait.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'

interface BiographyProps {
  person: Leader
  picture: PortraitPicture
  sinceLabel: string
}

/** Portrait, biography and facts of a person, in a dialog under their name. */
export function Biography({ person, picture, sinceLabel }: BiographyProps) {
  const { association } = useFrameContents()
  const { role, bio, field, practice, location, since, askMeAbout } = person
  const facts = [
    ['Specialty', field],
    ['Practice', [practice, withoutState(location, association.address.region)].filter(Boolean).join(', ')],
    [sinceLabel, since],
    ['Ask me about', askMeAbout && askMeAbout.charAt(0).toUpperCase() + askMeAbout.slice(1)],
  ].filter(([, value]) => value)
  return (
    <>
      <Portrait picture={picture} displayWidth="15rem" />
      {role && <p className="eyebrow">{role}</p>}
      <div className="biography">
        {bio.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <dl>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  )
}

/** 'Springfield' for 'Springfield, Ohio': nearly everyone lives in the association's state. */
function withoutState(location: string | null, state: string): string | undefined {
  return location?.endsWith(`, ${state}`) ? location.slice(0, -state.length - 2) : (location ?? undefined)
}
