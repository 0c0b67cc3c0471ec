import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { renewRecoveryCodes } from '#contract/console/console.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { listFactors, removeAuthenticator, type FactorList } from '#contract/public/passkeys.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { AuthenticatorSetup } from '../second-factor/authenticator-setup.tsx'
import { callAsOfficer, reloadOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { PasskeyCard } from '../second-factor/passkey-card.tsx'
import { RecoveryCodes } from '../second-factor/recovery-codes.tsx'
import { useAction, type Action } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Panel } from '../ui/panel.tsx'

/** An officer's second factors: passkeys, authenticator app and recovery codes. */
export default function SecurityPage() {
  const action = useAction()
  const factors = useLoaded(listFactors)

  function update(list: FactorList) {
    factors.setValue(list)
    // The reauthentication dialog offers the current factors.
    reloadOfficer()
  }

  return (
    <ConsolePage title="My security" lead="How you log in to this console, in addition to your password.">
      <ActionMessages action={action} />
      <div className="stack">
        <WhenLoaded loaded={factors} what="your security settings">
          {(list) => (
            <>
              <PasskeyCard list={list} action={action} onChange={update} />
              <AuthenticatorCard list={list} action={action} onChange={update} onSetUp={factors.reload} />
              <RecoveryCodeCard left={list.recoveryCodesLeft} action={action} onRenewed={factors.reload} />
            </>
          )}
        </WhenLoaded>
        <Panel title="A new phone">
          <p>
            Passkeys often sync through your Apple or Google account or password manager. If yours didn’t, log in with a
            recovery code, add the new phone here and remove the old one. If you have no recovery codes, ask the
            webmaster to reset your second factor.
          </p>
        </Panel>
      </div>
    </ConsolePage>
  )
}

function AuthenticatorCard({
  list: { app, passkeys },
  action,
  onChange,
  onSetUp,
}: {
  list: FactorList
  action: Action
  onChange(list: FactorList): void
  onSetUp(): void
}) {
  const [open, setOpen] = useState<'set-up' | 'remove' | null>(null)
  const [codes, setCodes] = useState<string[]>([])

  function close() {
    setOpen(null)
    setCodes([])
  }

  function finish() {
    close()
    onSetUp()
    reloadOfficer()
  }

  return (
    <Panel title="Authenticator app">
      {app ? (
        <>
          <p>Set up on {formatLongDate(app.since)}.</p>
          {passkeys.length > 0 ? (
            <Button
              variant="line"
              size="small"
              busy={action.busy === 'app'}
              busyLabel="Removing"
              onClick={() => setOpen('remove')}
            >
              Remove app
            </Button>
          ) : (
            <p className="small soft">This is your only second factor. Add a passkey before you remove it.</p>
          )}
        </>
      ) : (
        <>
          <p>
            You have no authenticator app. It is a good backup on a second device, and it works on shared computers.
          </p>
          <Button variant="line" size="small" onClick={() => setOpen('set-up')}>
            Set up app
          </Button>
        </>
      )}
      <Dialog open={open === 'set-up'} onClose={close} title="Set up an authenticator app" width="34rem">
        {codes.length > 0 ? (
          <RecoveryCodes codes={codes} onDone={finish} />
        ) : (
          open === 'set-up' && (
            <AuthenticatorSetup onDone={(given) => (given.length > 0 ? setCodes(given) : finish())} />
          )
        )}
      </Dialog>
      <Dialog open={open === 'remove'} onClose={close} title="Remove the app?" width="30rem">
        <p>
          Its codes stop working, and your other devices have to log in again. Your passkeys and recovery codes stay.
        </p>
        <div className="buttons">
          <Button
            variant="danger"
            onClick={() => {
              close()
              void action.run(
                'app',
                async () => onChange(await callAsOfficer(removeAuthenticator)),
                'The authenticator app was removed.',
              )
            }}
          >
            Remove
          </Button>
          <Button variant="line" onClick={close}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Panel>
  )
}

function RecoveryCodeCard({ left, action, onRenewed }: { left: number; action: Action; onRenewed(): void }) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) {
    return (
      <Panel title="Recovery codes">
        <RecoveryCodes
          codes={codes}
          onDone={() => {
            setCodes(null)
            onRenewed()
          }}
        />
      </Panel>
    )
  }
  return (
    <Panel title="Recovery codes">
      <p>
        {left} of {officerLimits.recoveryCodes} left. Each signs you in once if you lose your other factors. New codes
        replace all old ones.
      </p>
      <Button
        variant="line"
        size="small"
        busy={action.busy === 'codes'}
        busyLabel="Generating"
        onClick={() =>
          void action.run('codes', async () =>
            setCodes((await callAsOfficer(renewRecoveryCodes, { body: {} })).recoveryCodes),
          )
        }
      >
        Generate new codes
      </Button>
    </Panel>
  )
}
