/** Says that something is on its way; the text is read aloud. */
export function Spinner({ text }: { text: string }) {
  return (
    <p className="spinner" role="status">
      {text}
    </p>
  )
}

/** The shape of what comes. Silent: a Spinner or an Announcer beside it speaks. Lengths are CSS lengths. */
export function Skeleton({ width = '100%', height = '1em' }: { width?: string; height?: string }) {
  return <span className="skeleton" aria-hidden="true" style={{ width, height }} />
}
