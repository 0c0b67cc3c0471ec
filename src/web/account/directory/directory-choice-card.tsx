import { useState } from 'react'
import type { DirectoryChoice } from '#contract/public/my-account/directory-choice.ts'
import { accountPath } from '#web/app/paths.ts'
import { useViewer } from '#web/session/viewer.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'
import { Box } from '../box.tsx'
import { MemberDataProblem, useMemberData } from '../member-data.tsx'
import type { ExplainFailure } from '../use-account.ts'
import { readChoice, saveChoice } from './directory.calls.ts'

type Switch = 'inMembers' | 'inPublic' | 'takesMessages'

/** Whether the member is in the directory. Everything is off until the member turns it on. */
export function DirectoryChoiceCard({ explainFailure }: { explainFailure: ExplainFailure }) {
  const loaded = useMemberData(readChoice)
  const [changed, setChanged] = useState<DirectoryChoice | null>(null)
  const choice = changed ?? (loaded.step === 'shown' ? loaded.value : null)
  if (loaded.step === 'loading') return null
  return (
    <Box
      title="Member directory"
      footer="Others see what “Your details” shows them, and your name. Your email address is never shown."
    >
      {choice ? (
        <Switches choice={choice} explainFailure={explainFailure} onChanged={setChanged} />
      ) : (
        <MemberDataProblem state={loaded} what="Your directory settings" />
      )}
    </Box>
  )
}

interface SwitchesProps {
  choice: DirectoryChoice
  explainFailure: ExplainFailure
  onChanged(choice: DirectoryChoice): void
}

function Switches({ choice, explainFailure, onChanged }: SwitchesProps) {
  const { isMemberView } = useViewer()
  const [busy, setBusy] = useState<Switch | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function change(name: Switch) {
    if (busy) return
    setBusy(name)
    setFailure(null)
    const { inMembers, inPublic, takesMessages } = choice
    try {
      onChanged(await saveChoice({ inMembers, inPublic, takesMessages, [name]: !choice[name] }))
    } catch (cause) {
      setFailure(
        explainFailure(cause, {
          missing: 'Please log in to change this',
          failed: 'This was not saved. Please try again.',
        }),
      )
    }
    setBusy(null)
  }

  const row = (name: Switch, label: string, text: string) => (
    <label className="switch-row">
      <span>
        <b>{label}</b>
        <small>{text}</small>
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={choice[name]}
        disabled={isMemberView}
        aria-busy={busy === name || undefined}
        onChange={() => void change(name)}
      />
    </label>
  )

  return (
    <>
      {row('inMembers', 'Show me in the directory', 'For members with an active membership.')}
      {choice.inMembers &&
        row('takesMessages', 'Members may write to me', 'By email through the site. They do not see your address.')}
      {choice.hasPublicPage &&
        row('inPublic', 'Show me on the public page', 'For everyone, with what you show to everyone.')}
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      {choice.inMembers && !choice.entryId && (
        <p className="small soft">Your entry appears while your membership is active.</p>
      )}
      {choice.hasPublicPage && choice.inPublic && !choice.isPublicNow && (
        <p className="small soft">
          The public page shows you once your membership is active and your credentials are approved and current.
        </p>
      )}
      {choice.entryId && (
        <p>
          <Link to={`${accountPath('directory')}?${new URLSearchParams({ member: choice.entryId })}`}>
            See my entry as members do
          </Link>
        </p>
      )}
    </>
  )
}
