import type { Audience, JoinPage } from '#contract/public/membership.ts'
import { Spot, type SpotName } from '#web/ui/picture.tsx'

const SPOTS: Record<Audience, SpotName> = { practice: 'lotus', training: 'stethoscope', aims: 'mortar' }

/**
 * One question that leaves the levels for this visitor. The style sheet hides the others, so it works without script;
 * until it is answered, all levels are shown.
 */
export function AudienceChoice({
  choices,
  onChoose,
}: {
  choices: JoinPage['choices']
  onChoose(audience: Audience): void
}) {
  return (
    <fieldset className="audiences">
      <legend>Which of these is you?</legend>
      {choices.map(({ audience, title, text }) => (
        <label key={audience}>
          <input type="radio" name="audience" value={audience} onChange={() => onChoose(audience)} />
          <Spot name={SPOTS[audience]} />
          <span>
            <b>{title}</b>
            {text && <small>{text}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
