/** A segmented control that selects one of a few views. */
export function ChoiceTabs<Name extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  label: string
  choices: readonly (readonly [name: Name, text: string])[]
  chosen: Name
  onChoose(name: Name): void
}) {
  return (
    <div className="choice-tabs" role="group" aria-label={label}>
      {choices.map(([name, text]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {text}
        </button>
      ))}
    </div>
  )
}
