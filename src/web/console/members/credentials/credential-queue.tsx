import type { CredentialRecheck, PendingCredential } from '#contract/console/credentials.ts'
import { formatDay } from '#contract/dates/days.ts'
import { Face } from '#web/console/ui/face.tsx'
import { Mark, TRAINING_KINDS } from './credential-card.tsx'

type Credential = PendingCredential | CredentialRecheck

/** Who waits, one line each; choosing one shows the claim beside the list. */
export function CredentialQueue({
  credentials,
  chosenId,
  onChoose,
}: {
  credentials: readonly Credential[]
  chosenId: string
  onChoose(id: string): void
}) {
  return (
    <ul className="queue-list">
      {credentials.map((credential) => (
        <li key={credential.id}>
          <button
            type="button"
            aria-pressed={credential.id === chosenId}
            data-credential={credential.id}
            onClick={() => onChoose(credential.id)}
          >
            <Face name={credential.name} />
            <span>
              <strong>{credential.name}</strong> <Mark credential={credential} />
              <span className="soft small">{claimText(credential)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const DAY_MS = 86_400_000

function claimText({ kind, npi, licenceState, place, endsOn, givenAt }: Credential): string {
  const what =
    kind === 'licence'
      ? `NPI ${npi}, license in ${licenceState}`
      : `${TRAINING_KINDS[kind]}, ${place}${endsOn === null ? '' : `, until ${formatDay(endsOn)}`}`
  const days = Math.floor((Date.now() - Date.parse(givenAt)) / DAY_MS)
  const waited = days < 1 ? 'today' : days === 1 ? '1 day ago' : `${days} days ago`
  return `${what}. Submitted ${waited}`
}
