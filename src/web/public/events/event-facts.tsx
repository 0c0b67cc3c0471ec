/** Short facts about an event, never pressable. */
export function EventFacts({ facts }: { facts: readonly string[] | undefined }) {
  if (!facts?.length) return null
  return (
    <ul className="fact-chips" aria-label="At a glance">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  )
}
