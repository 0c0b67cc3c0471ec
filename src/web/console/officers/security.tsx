import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { renewRecoveryCodes } from '#contract/console.ts'
import { formatLongDate } from '#contract/dates.ts'
import { listFactors, removeAuthenticator, type FactorList } from '#contract/passkeys.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { AppSetup } from '#web/features/console/app-setup.tsx'
import { callAsOfficer, lookAgain } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { PasskeySheet } from '#web/features/console/passkey-sheet.tsx'
import { RecoveryCodes } from '#web/features/console/recovery-codes.tsx'
import { useAction, type Action } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** An officer's own way in: passkeys, authenticator app, and the codes for the day both are gone. */
export default function AccessPage() {
  const action = useAction()
  const factors = useLoaded('factors', () => callAsOfficer(listFactors))

  function takeOver(list: FactorList) {
    factors.setValue(list)
    // The frame asks by what there is now.
    lookAgain()
  }

  return (
    <ConsolePage title="My access" lead="What opens this console for you, together with your password.">
      <ActionMessages action={action} />
      <WhenLoaded loaded={factors} what="your access">
        {(list) => (
          <>
            <PasskeySheet list={list} action={action} onChange={takeOver} />
            <AppSheet list={list} action={action} onChange={takeOver} onSetUp={factors.reload} />
            <RecoveryCodeSheet left={list.recoveryCodesLeft} action={action} onRenewed={factors.reload} />
          </>
        )}
      </WhenLoaded>
      <Sheet title="A new phone">
        <p>
          Passkeys often come along by themselves, with your Apple or Google account or your password manager. If yours
          did not, log in with a recovery code, add the new phone here and remove the old one. Without recovery codes,
          ask the webmaster for a new start.
        </p>
      </Sheet>
    </ConsolePage>
  )
}

function AppSheet({
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
    lookAgain()
  }

  return (
    <Sheet title="Authenticator app">
      {app ? (
        <>
          <p>Set up on {formatLongDate(app.since)}. Its codes open the console.</p>
          {passkeys.length > 0 ? (
            <Button
              variant="line"
              size="small"
              busy={action.busy === 'app'}
              busyLabel="Removing the app"
              onClick={() => setOpen('remove')}
            >
              Remove the app
            </Button>
          ) : (
            <p className="small soft">It is the only one you have: add a passkey before you remove it.</p>
          )}
        </>
      ) : (
        <>
          <p>You have none. On a second device it is a good reserve, and it works on computers of others.</p>
          <Button variant="line" size="small" onClick={() => setOpen('set-up')}>
            Set up an app
          </Button>
        </>
      )}
      <Dialog open={open === 'set-up'} onClose={close} title="Set up an authenticator app" width="34rem">
        {codes.length > 0 ? (
          <RecoveryCodes codes={codes} onDone={finish} />
        ) : (
          open === 'set-up' && <AppSetup onDone={(given) => (given.length > 0 ? setCodes(given) : finish())} />
        )}
      </Dialog>
      <Dialog open={open === 'remove'} onClose={close} title="Remove the app?" width="30rem">
        <p>
          Its codes open the console no longer, and your other devices are asked anew. Your passkeys and recovery codes
          stay.
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
            Remove it
          </Button>
          <Button variant="line" onClick={close}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </Sheet>
  )
}

function RecoveryCodeSheet({ left, action, onRenewed }: { left: number; action: Action; onRenewed(): void }) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) {
    return (
      <Sheet title="Recovery codes">
        <RecoveryCodes
          codes={codes}
          onDone={() => {
            setCodes(null)
            onRenewed()
          }}
        />
      </Sheet>
    )
  }
  return (
    <Sheet title="Recovery codes">
      <p>
        {left} of {officerLimits.recoveryCodes} are left. Each opens the console once, when nothing else does. New ones
        take the place of all you have now.
      </p>
      <Button
        variant="line"
        size="small"
        busy={action.busy === 'codes'}
        busyLabel="Making new codes"
        onClick={() =>
          void action.run('codes', async () =>
            setCodes((await callAsOfficer(renewRecoveryCodes, { body: {} })).recoveryCodes),
          )
        }
      >
        Make new recovery codes
      </Button>
    </Sheet>
  )
}
