/** Announces a change to screen readers without showing it. Keep it mounted: only a change of `message` is announced. */
export function Announcer({ message }: { message: string }) {
  return (
    <span role="status" className="visually-hidden">
      {message}
    </span>
  )
}
