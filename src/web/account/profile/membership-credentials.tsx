import { useEffect, useState } from 'react'
import type { CredentialKind, Credentials } from '#contract/public/credentials.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Box } from '../box.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { SubmittedCredentials } from './submitted-credentials.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { findCredentials } from './membership-credentials.calls.ts'
import { SavedMessage } from '../saved-message.tsx'

type State = { step: 'loading' } | { step: 'failed' } | { step: 'shown'; credentials: Credentials | null }

/** License, school or program: entered here, verified by officers. The membership is active meanwhile. */
export function MembershipCredentials({
  suggested,
  plansPath,
  onSaved,
}: {
  suggested: CredentialKind
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
      .then((credentials): State => ({ step: 'shown', credentials }))
      .catch((): State => ({ step: 'failed' }))
      .then((next) => isWanted && setState(next))
    return () => {
      isWanted = false
    }
  }, [])

  function take(credentials: Credentials) {
    setState({ step: 'shown', credentials })
    setMode('back')
    setSavedAt(Date.now())
    void onSaved()
  }

  function change() {
    setMode('edit')
    setSavedAt(null)
  }

  return (
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
          plansPath={plansPath}
          hasFocus={mode === 'back'}
          onChange={change}
          onSaved={take}
        />
      )}
      {state.step === 'shown' && (mode === 'edit' || !state.credentials) && (
        <CredentialsForm
          credentials={state.credentials}
          suggested={suggested}
          onSaved={take}
          onCancel={() => setMode('back')}
        />
      )}
      <SavedMessage text="Your credentials were saved." at={savedAt} />
    </Box>
  )
}
