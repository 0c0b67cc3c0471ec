const STEPS = ['Your details', 'Verify email', 'Membership']

/** Where the visitor is on the way to a membership. */
export function StepLine({ current }: { current: 1 | 2 | 3 }) {
  return (
    <ol className="step-line">
      {STEPS.map((name, at) => (
        <li key={name} aria-current={at + 1 === current ? 'step' : undefined} data-done={at + 1 < current || undefined}>
          {at + 1} {name}
        </li>
      ))}
    </ol>
  )
}
