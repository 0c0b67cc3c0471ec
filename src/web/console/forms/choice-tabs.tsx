/** Which of a few lists is shown, as buttons beside each other. */
export function ChoiceTabs<Name extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  label: string
  choices: readonly (readonly [name: Name, words: string])[]
  chosen: Name
  onChoose(name: Name): void
}) {
  return (
    <div className="choice-tabs" role="group" aria-label={label}>
      {choices.map(([name, words]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {words}
        </button>
      ))}
    </div>
  )
}
