import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { formatLongDate } from '#contract/dates.ts'
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
  type FactorList,
  type Passkey,
} from '#contract/passkeys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { callAsOfficer } from './console-door.ts'
import { PasskeyNameForm } from './passkey-form.tsx'
import { suggestPasskeyName } from './passkey-words.rules.ts'
import { canUsePasskeys, makePasskey } from './passkey.ts'
import type { Action } from './use-action.ts'

type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

/** An officer's passkeys: added, renamed, removed; the last way in stays. */
export function PasskeySheet({
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
  const isOnlyWay = passkeys.length === 1 && app === null
  const isFull = passkeys.length >= officerLimits.passkeys

  async function add(name: string) {
    const credential = await makePasskey(await callAsOfficer(beginPasskey, { body: {} }))
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
    <Sheet title="Passkeys">
      {passkeys.length === 0 ? (
        <p>You have none. A passkey opens the console by your face, your finger or the PIN of your device.</p>
      ) : (
        <ul className="records">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>{passkey.name}</strong>
                <p className="small soft">
                  Added {formatLongDate(passkey.createdAt)},{' '}
                  {passkey.lastUsedAt === null ? 'not used since' : `last used ${formatLongDate(passkey.lastUsedAt)}`}
                </p>
                {isOnlyWay && (
                  <p className="small soft">It is the only way in: add another, or an app, before you remove it.</p>
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
                {!isOnlyWay && (
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
      {canUsePasskeys() ? (
        <Button
          size="small"
          disabled={isFull}
          reason="Ten are the most. Remove one that you no longer use."
          onClick={() => setOpen({ kind: 'add' })}
        >
          Add a passkey
        </Button>
      ) : (
        <p className="small soft">This browser knows no passkeys. Open this page in another one to add one.</p>
      )}
      <Dialog open={open?.kind === 'add'} onClose={close} title="Add a passkey" width="32rem" closesWhileBusy>
        <p>
          On this device, or on your phone: your browser lets you choose, and shows a code for the phone to scan. You
          get a letter about it.
        </p>
        {open?.kind === 'add' && (
          <PasskeyNameForm
            name={freeName(suggestPasskeyName(navigator.userAgent), passkeys)}
            label="Make the passkey"
            busyLabel="Waiting for your device"
            send={add}
          />
        )}
      </Dialog>
      <Dialog open={open?.kind === 'rename'} onClose={close} title="Rename the passkey" width="32rem">
        {open?.kind === 'rename' && (
          <PasskeyNameForm
            name={open.passkey.name}
            label="Save the name"
            busyLabel="Saving the name"
            send={(name) => rename(open.passkey, name)}
          />
        )}
      </Dialog>
      <Dialog open={open?.kind === 'remove'} onClose={close} title="Remove this passkey?" width="30rem">
        {open?.kind === 'remove' && (
          <>
            <p>
              “{open.passkey.name}” opens the console no longer, from this moment on, and your other devices are asked
              anew. You get a letter.
            </p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void remove(open.passkey)}>
                Remove it
              </Button>
              <Button variant="line" onClick={close}>
                Keep it
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </Sheet>
  )
}

/** Two of a kind are told apart by a number. */
function freeName(name: string, passkeys: readonly Passkey[]): string {
  const isTaken = (wanted: string) => passkeys.some((passkey) => passkey.name === wanted)
  let free = name
  for (let number = 2; isTaken(free); number++) free = `${name} ${number}`
  return free
}
