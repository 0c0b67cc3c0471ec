import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
  type FactorList,
  type Passkey,
} from '#contract/public/passkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Panel } from '../ui/panel.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { PasskeyNameForm } from './passkey-form.tsx'
import { suggestPasskeyName } from './passkey-errors.rules.ts'
import { supportsPasskeys, createPasskey } from './passkey-calls.ts'
import type { Action } from '../shell/use-action.ts'

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

/** Lists an officer's passkeys. The last second factor cannot be removed. */
export function PasskeyCard({
  list: { passkeys, app },
  action,
  onChange,
}: {
  list: FactorList
  action: Action
  onChange(list: FactorList): void
}) {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const isOnlyFactor = passkeys.length === 1 && app === null
  const isFull = passkeys.length >= officerLimits.passkeys

  async function add(name: string) {
    const credential = await createPasskey(await callAsOfficer(beginPasskey, { body: {} }))
    const list = await callAsOfficer(addPasskey, { body: { name, credential } })
    close()
    await action.run('add', async () => onChange(list), `The passkey “${name.trim()}” was added.`)
  }

  async function rename({ id }: Passkey, name: string) {
    onChange(await callAsOfficer(renamePasskey, { params: { id }, body: { name } }))
    close()
  }

  async function remove({ id, name }: Passkey) {
    close()
    await action.run(
      id,
      async () => onChange(await callAsOfficer(removePasskey, { params: { id } })),
      `The passkey “${name}” was removed.`,
    )
  }

  return (
    <Panel title="Passkeys">
      {passkeys.length === 0 ? (
        <p>You have no passkeys. A passkey signs you in with your face, fingerprint or device PIN.</p>
      ) : (
        <ul className="records">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong>
                <p className="small soft">
                  Added {formatLongDate(passkey.createdAt)},{' '}
                  {passkey.lastUsedAt === null ? 'never used' : `last used ${formatLongDate(passkey.lastUsedAt)}`}
                </p>
                {isOnlyFactor && (
                  <p className="small soft">
                    This is your only second factor. Add another passkey or an app before you remove it.
                  </p>
                )}
              </div>
              <div className="buttons">
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Rename ${passkey.name}`}
                  onClick={() => setOpen({ kind: 'rename', passkey })}
                >
                  Rename
                </Button>
                {!isOnlyFactor && (
                  <Button
                    variant="line"
                    size="small"
                    aria-label={`Remove ${passkey.name}`}
                    busy={action.busy === passkey.id}
                    busyLabel="Removing"
                    onClick={() => setOpen({ kind: 'remove', passkey })}
                  >
                    Remove
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {supportsPasskeys() ? (
        <Button
          size="small"
          disabled={isFull}
          reason="You can have up to ten passkeys. Remove one you no longer use."
          onClick={() => setOpen({ kind: 'add' })}
        >
          Add a passkey
        </Button>
      ) : (
        <p className="small soft">This browser doesn’t support passkeys. Use another browser to add one.</p>
      )}
      <Dialog open={open?.kind === 'add'} onClose={close} title="Add a passkey" width="32rem" closesWhileBusy>
        <p>
          Save it on this device or on your phone; your browser lets you choose and shows a code for the phone to scan.
          We’ll email you about it.
        </p>
        {open?.kind === 'add' && (
          <PasskeyNameForm
            name={uniqueName(suggestPasskeyName(navigator.userAgent), passkeys)}
            label="Create passkey"
            busyLabel="Waiting for your device"
            send={add}
          />
        )}
      </Dialog>
      <Dialog open={open?.kind === 'rename'} onClose={close} title="Rename passkey" width="32rem">
        {open?.kind === 'rename' && (
          <PasskeyNameForm
            name={open.passkey.name}
            label="Save"
            busyLabel="Saving"
            send={(name) => rename(open.passkey, name)}
          />
        )}
      </Dialog>
      <Dialog open={open?.kind === 'remove'} onClose={close} title="Remove this passkey?" width="30rem">
        {open?.kind === 'remove' && (
          <>
            <p>
              “{open.passkey.name}” stops working now, and your other devices have to log in again. We’ll email you
              about it.
            </p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void remove(open.passkey)}>
                Remove
              </Button>
              <Button variant="line" onClick={close}>
                Cancel
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </Panel>
  )
}

/** Appends a number when the name is taken. */
function uniqueName(name: string, passkeys: readonly Passkey[]): string {
  const isTaken = (wanted: string) => passkeys.some((passkey) => passkey.name === wanted)
  let unique = name
  for (let number = 2; isTaken(unique); number++) unique = `${name} ${number}`
  return unique
}
