/** A loading indicator; screen readers announce its text. */
export function Spinner({ text }: { text: string }) {
  return (
    <p className="spinner" role="status">
      {text}
    </p>
  )
}

/**
 * A placeholder for loading content. Hidden from screen readers: put a Spinner or an Announcer next to it. Sizes are
 * CSS lengths.
 */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className="skeleton" aria-hidden="true" style={{ width, height }} />
}
