import { useLayoutEffect, useRef, useState } from 'react'
import type { Device } from '#contract/account-devices.ts'
import { formatLongDate } from '#contract/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { endAllDevices, endDevice, getDevices } from './account-calls.ts'
import type { ExplainFailure } from './use-account.ts'

const SENTENCES = { missing: 'Please log in to see your devices', failed: 'Failed to load your devices' }
const FAILED_TO_END = { missing: 'Please log in to sign out your devices', failed: 'Failed to sign out the device' }

/** Where somebody is signed in, asked for when it is wanted; each can be signed out, or all but this one. */
export function DevicesSheet({ explainFailure }: { explainFailure: ExplainFailure }) {
  const [devices, setDevices] = useState<Device[] | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [done, setDone] = useState('')

  // The button that was pressed is gone, with what it asked for here or with its row: the focus goes to the list, before it is seen to be nowhere.
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) list.current?.focus()
  }, [devices])

  /** `what` marks the button that is busy. */
  async function attempt(what: string, act: () => Promise<void>, sentences: typeof SENTENCES, success = '') {
    if (busy) return
    setBusy(what)
    setFailure(null)
    setDone('')
    try {
      await act()
      setDevices(await getDevices())
      setDone(success)
    } catch (cause) {
      setFailure(explainFailure(cause, sentences))
    }
    setBusy(null)
  }

  const others = devices?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <Sheet
      title="Where You Are Signed In"
      aside={
        devices === null && (
          <Button
            variant="line"
            size="small"
            busy={busy === 'list'}
            busyLabel="Loading"
            onClick={() => void attempt('list', async () => {}, SENTENCES)}
          >
            Show devices
          </Button>
        )
      }
    >
      {devices === null && (
        <p>See every device that is signed in to your account, and sign out any you do not recognize.</p>
      )}
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      {devices !== null && (
        <>
          <ul className="devices" ref={list} tabIndex={-1}>
            {devices.map((device) => (
              <DeviceRow
                key={device.id}
                device={device}
                isBusy={busy === device.id}
                onEnd={() =>
                  void attempt(
                    device.id,
                    () => endDevice(device.id),
                    FAILED_TO_END,
                    `${device.browser} was signed out.`,
                  )
                }
              />
            ))}
          </ul>
          <p className="small soft">Signing out everywhere ends every session but this one.</p>
          <Button
            variant="line"
            size="small"
            disabled={others.length === 0}
            reason="You are not signed in anywhere else."
            busy={busy === 'all'}
            busyLabel="Signing out"
            onClick={() => void attempt('all', endAllDevices, FAILED_TO_END, 'Every other device was signed out.')}
          >
            Sign out everywhere
          </Button>
        </>
      )}
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
    </Sheet>
  )
}

interface DeviceRowProps {
  device: Device
  isBusy: boolean
  onEnd(): void
}

function DeviceRow({ device: { browser, signedInAt, lastSeenAt, isCurrent }, isBusy, onEnd }: DeviceRowProps) {
  return (
    <li>
      <div>
        <strong>{browser}</strong>
        <p className="small soft">
          Signed in {formatLongDate(signedInAt)}, last seen {formatLongDate(lastSeenAt)}
        </p>
      </div>
      {isCurrent ? (
        <Badge tone="ok">This device</Badge>
      ) : (
        <Button
          variant="line"
          size="small"
          aria-label={`End session of ${browser}`}
          busy={isBusy}
          busyLabel="Signing out"
          onClick={onEnd}
        >
          End session
        </Button>
      )}
    </li>
  )
}
