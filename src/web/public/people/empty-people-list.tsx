import { Spot } from '#web/ui/picture.tsx'

/** The empty state of a list of people. */
export function EmptyPeopleList({ email }: { email: string }) {
  return (
    <div className="empty">
      <Spot name="empty" />
      <h2>No one is listed here yet</h2>
      <p className="soft">
        To find out who serves, email <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </div>
  )
}
