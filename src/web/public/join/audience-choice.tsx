import type { Audience } from '#contract/public/membership.ts'
import { Spot, type SpotName } from '#web/ui/picture.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'

const choicesIn = (region: string): { audience: Audience; title: string; text: string; spot: SpotName }[] => [
  { audience: 'practice', title: `I practice in ${region}`, text: 'Physicians of Indian origin', spot: 'lotus' },
  { audience: 'training', title: 'I am in training', text: 'Students, residents and fellows', spot: 'stethoscope' },
  { audience: 'aims', title: 'I share your aims', text: 'Dentists, pharmacists and others', spot: 'mortar' },
]

/**
 * One question that leaves the levels for this visitor. The style sheet hides the others, so it works without script;
 * until it is answered, all levels are shown.
 */
export function AudienceChoice({ onChoose }: { onChoose(audience: Audience): void }) {
  const { association } = useFrameContents()
  return (
    <fieldset className="audiences">
      <legend>Which of these is you?</legend>
      {choicesIn(association.address.region).map(({ audience, title, text, spot }) => (
        <label key={audience}>
          <input type="radio" name="audience" value={audience} onChange={() => onChoose(audience)} />
          <Spot name={spot} />
          <span>
            <b>{title}</b>
            <small>{text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
