/** Says a change aloud to readers without showing it. Keep it mounted: only a change of `message` is spoken. */
export function Announcer({ message }: { message: string }) {
  return (
    <span role="status" className="visually-hidden">
      {message}
    </span>
  )
}
