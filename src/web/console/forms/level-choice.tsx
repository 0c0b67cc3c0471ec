import { Checkbox } from '#web/ui/field.tsx'

interface LevelChoiceProps {
  legend: string
  hint?: string
  levels: readonly { key: string; name: string }[]
  chosen: readonly string[]
  onChange(chosen: string[]): void
}

/** Membership levels to tick, any number of them. */
export function LevelChoice({ legend, hint, levels, chosen, onChange }: LevelChoiceProps) {
  return (
    <fieldset className="checkbox-group field">
      <legend>{legend}</legend>
      {hint && <p className="small soft">{hint}</p>}
      {levels.map(({ key, name }) => (
        <Checkbox
          key={key}
          label={name}
          name={`level-${key}`}
          checked={chosen.includes(key)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))}
        />
      ))}
    </fieldset>
  )
}
