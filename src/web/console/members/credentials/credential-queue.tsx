import type { CredentialRecheck, PendingCredential } from '#contract/console/credentials.ts'
import { kindOf, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import { credentialSummary } from '#contract/credentials/shown-answers.ts'
import { Face } from '#web/console/ui/face.tsx'
import { Mark } from './credential-card.tsx'

type Credential = PendingCredential | CredentialRecheck

/** Who waits, one line each; choosing one shows the claim beside the list. */
export function CredentialQueue({
  credentials,
  kinds,
  chosenId,
  onChoose,
}: {
  credentials: readonly Credential[]
  kinds: readonly CredentialKind[]
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
              <strong>{credential.name}</strong> <Mark credential={credential} kinds={kinds} />
              <span className="soft small">{claimText(credential, kinds)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const DAY_MS = 86_400_000

function claimText(credential: Credential, kinds: readonly CredentialKind[]): string {
  const what = credentialSummary(kindOf(kinds, credential.kind), credential).join(', ')
  const days = Math.floor((Date.now() - Date.parse(credential.givenAt)) / DAY_MS)
  const waited = days < 1 ? 'today' : days === 1 ? '1 day ago' : `${days} days ago`
  return `${what}. Submitted ${waited}`
}
