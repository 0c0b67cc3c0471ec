import { useEffect, useState } from 'react'
import type { Credentials } from '#contract/public/credentials.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Box } from '../box.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { SubmittedCredentials } from './submitted-credentials.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { findCredentials, type MemberCredentials } from './membership-credentials.calls.ts'
import { suggestedCredential } from './suggested-credential.rules.ts'
import { SavedMessage } from '../saved-message.tsx'

type State = { step: 'loading' } | { step: 'failed' } | ({ step: 'shown' } & MemberCredentials)

/** Entered here, verified by officers. The membership is active meanwhile. Left out where the association asks for none. */
export function MembershipCredentials({
  levelKey,
  plansPath,
  onSaved,
}: {
  levelKey: string | undefined
  plansPath: string
  onSaved(): Promise<void>
}) {
  const [state, setState] = useState<State>({ step: 'loading' })
  // `back`: the form or question is closed, so focus the change button.
  const [mode, setMode] = useState<'view' | 'edit' | 'back'>('view')
  const [savedAt, setSavedAt] = useState<number | null>(null)

  useEffect(() => {
    let isWanted = true
    void findCredentials()
      .then((found): State => ({ step: 'shown', ...found }))
      .catch((): State => ({ step: 'failed' }))
      .then((next) => isWanted && setState(next))
    return () => {
      isWanted = false
    }
  }, [])

  function take(credentials: Credentials) {
    if (state.step === 'shown') setState({ ...state, credentials })
    setMode('back')
    setSavedAt(Date.now())
    void onSaved()
  }

  function change() {
    setMode('edit')
    setSavedAt(null)
  }

  const suggested = state.step === 'shown' ? suggestedCredential(state.kinds, levelKey) : undefined
  if (state.step === 'shown' && !suggested && !state.credentials) return null

  return (
    <div id="credentials">
      <Box title="Credentials">
        {state.step === 'loading' && <Skeleton height="4rem" />}
        {state.step === 'failed' && (
          <Banner tone="bad" role="alert">
            Your credentials could not be loaded. Please check your connection and open this page again.
          </Banner>
        )}
        {state.step === 'shown' && state.credentials && mode !== 'edit' && (
          <SubmittedCredentials
            credentials={state.credentials}
            kinds={state.kinds}
            plansPath={plansPath}
            hasFocus={mode === 'back'}
            onChange={change}
            onSaved={take}
          />
        )}
        {state.step === 'shown' && suggested && (mode === 'edit' || !state.credentials) && (
          <CredentialsForm
            credentials={state.credentials}
            kinds={state.kinds}
            suggested={suggested}
            onSaved={take}
            onCancel={() => setMode('back')}
          />
        )}
        <SavedMessage text="Your credentials were saved." at={savedAt} />
      </Box>
    </div>
  )
}
