import { useLayoutEffect, useRef, useState } from 'react'
import type { Device } from '#contract/public/account-devices.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { signOutOtherDevices, signOutDevice, getDevices } from './account-calls.ts'
import type { ExplainFailure } from './use-account.ts'

const LOAD_MESSAGES = { missing: 'Please log in to see your devices', failed: 'Failed to load your devices' }
const END_MESSAGES = { missing: 'Please log in to sign out your devices', failed: 'Failed to sign out the device' }

/** The member's sessions, loaded on demand. Each can be ended, or all except this one. */
export function DevicesCard({ explainFailure }: { explainFailure: ExplainFailure }) {
  const [devices, setDevices] = useState<Device[] | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [done, setDone] = useState('')

  // The button that was pressed is gone, so focus the list before anyone notices that nothing has focus.
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) list.current?.focus()
  }, [devices])

  /** `what` identifies the busy button. */
  async function attempt(what: string, act: () => Promise<void>, fallbacks: typeof LOAD_MESSAGES, success = '') {
    if (busy) return
    setBusy(what)
    setFailure(null)
    setDone('')
    try {
      await act()
      setDevices(await getDevices())
      setDone(success)
    } catch (cause) {
      setFailure(explainFailure(cause, fallbacks))
    }
    setBusy(null)
  }

  const others = devices?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <Card
      title="Where You Are Signed In"
      aside={
        devices === null && (
          <Button
            variant="line"
            size="small"
            busy={busy === 'list'}
            busyLabel="Loading"
            onClick={() => void attempt('list', async () => {}, LOAD_MESSAGES)}
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
                    () => signOutDevice(device.id),
                    END_MESSAGES,
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
            onClick={() => void attempt('all', signOutOtherDevices, END_MESSAGES, 'Every other device was signed out.')}
          >
            Sign out everywhere
          </Button>
        </>
      )}
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
    </Card>
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
