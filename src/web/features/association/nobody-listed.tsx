import { Spot } from '#web/ui/picture.tsx'

/** What a list of people says before an officer has filled it. */
export function NobodyListed({ email }: { email: string }) {
  return (
    <div className="empty">
      <Spot name="empty" />
      <h2>Nobody is listed here yet</h2>
      <p className="soft">
        The office knows who serves: write to <a href={`mailto:${email}`}>{email}</a>.
      </p>
    </div>
  )
}
