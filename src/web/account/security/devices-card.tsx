import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Device } from '#contract/public/account-devices.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Box } from '../box.tsx'
import { TryAgain } from '../try-again.tsx'
import { signOutOtherDevices, signOutDevice, getDevices } from './security.calls.ts'
import type { ExplainFailure } from '../use-account.ts'

const LOAD_MESSAGES = { missing: 'Please log in to see your devices', failed: 'Failed to load your devices' }
const END_MESSAGES = { missing: 'Please log in to sign out your devices', failed: 'Failed to sign out the device' }

/** The member's sessions. Each can be ended, or all except this one. */
export function DevicesCard({ explainFailure }: { explainFailure: ExplainFailure }) {
  const [devices, setDevices] = useState<Device[] | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [done, setDone] = useState('')
  // Only the newest one, so that a new function does not load the list again.
  const explain = useRef(explainFailure)
  useEffect(() => {
    explain.current = explainFailure
  })

  const list = useRef<HTMLUListElement>(null)
  // After the first load, the button that was pressed is gone, so focus the list before anyone notices that nothing has
  // focus.
  const isTaken = useRef(false)
  useLayoutEffect(() => {
    if (isTaken.current && document.activeElement === document.body) list.current?.focus()
  }, [devices])

  const load = useCallback(async () => {
    setFailure(null)
    try {
      setDevices(await getDevices())
    } catch (cause) {
      setFailure(explain.current(cause, LOAD_MESSAGES))
    }
  }, [])
  useEffect(() => void load(), [load])

  /** `what` identifies the busy button. */
  async function attempt(what: string, act: () => Promise<void>, success: string) {
    if (busy) return
    setBusy(what)
    setFailure(null)
    setDone('')
    try {
      await act()
      isTaken.current = true
      setDevices(await getDevices())
      setDone(success)
    } catch (cause) {
      setFailure(explainFailure(cause, END_MESSAGES))
    }
    setBusy(null)
  }

  const others = devices?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <Box title="Where You Are Signed In">
      {devices === null && !failure && <Skeleton height="6rem" />}
      {devices === null && failure && <TryAgain message={failure} onRetry={load} />}
      {devices !== null && failure && (
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
                  void attempt(device.id, () => signOutDevice(device.id), `${device.browser} was signed out.`)
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
            onClick={() => void attempt('all', signOutOtherDevices, 'Every other device was signed out.')}
          >
            Sign out everywhere
          </Button>
        </>
      )}
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
    </Box>
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
