import { useEffect, useMemo, useState } from 'react'
import { exportRsvps, removeRsvp, type CheckInEntry } from '#contract/console/rsvp.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { useAction } from '../shell/use-action.ts'
import { useNextFocus } from '../ui/use-next-focus.ts'
import { createCodeReader } from './code-reader.ts'
import { storeOfficerForCheckIn } from '../shell/use-officer.ts'
import { hashCardCode } from './card-hash.ts'
import { CheckInList } from './check-in-list.tsx'
import { countUnsent, interpretScan, searchEntries, currentEntries, type ScanResult } from './check-in.rules.ts'
import { EventPage } from './event/event-page.tsx'
import { RsvpCounts } from './rsvp-state.tsx'
import { Scanner } from './scanner.tsx'
import { useCheckIn } from './use-check-in.ts'
import { WalkInForm } from './walk-in-form.tsx'
import { CHECK_IN_PAGES } from '#web/session/offline/offline-pages.ts'
import { enableOfflinePage } from '#web/session/offline/enable-offline-page.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Spinner } from '#web/ui/loading.tsx'

/** The check-in list: search or scan, check in, undo, add walk-ins. Keeps working offline. */
export default function CheckInPage({ id }: { id: string }) {
  const checkIn = useCheckIn(id)
  const action = useAction()
  const [query, setQuery] = useState('')
  const [isEditing, setEditing] = useState(false)
  const [isScanning, setScanning] = useState(false)
  const [scanned, setScanned] = useState<ScanResult | null>(null)
  const [dialog, setDialog] = useState<'walk-in' | CheckInEntry | null>(null)
  // Loaded ahead, since the network may be gone when the camera is needed.
  const reader = useMemo(() => createCodeReader(), [])
  const { state: kept } = checkIn
  const moveFocus = useNextFocus(kept)
  const isCurrent = kept !== null && !checkIn.isOffline && checkIn.failure === null
  const [opensOffline, setOpensOffline] = useState(false)

  useEffect(() => {
    if (!isCurrent) return
    let isMounted = true
    storeOfficerForCheckIn()
    // Once the code reader has loaded, everything needed offline is there.
    void reader
      .catch(() => null)
      .then(() => enableOfflinePage(CHECK_IN_PAGES))
      .then((isKept) => isMounted && setOpensOffline(isKept))
    return () => {
      isMounted = false
    }
  }, [isCurrent, reader])

  if (!kept) {
    return (
      <ConsolePage title="Check-in">
        {checkIn.isOffline || checkIn.failure ? (
          <Banner tone="bad" role="alert">
            <p>{checkIn.failure ?? 'You’re offline, and this phone has not loaded the list yet.'}</p>
            <Button variant="line" size="small" onClick={checkIn.sync}>
              Try again
            </Button>
          </Banner>
        ) : (
          <Spinner text="Loading guests..." />
        )}
      </ConsolePage>
    )
  }

  const entries = currentEntries(kept)
  const arrived = entries.reduce((sum, entry) => sum + entry.arrived, 0)

  async function scan(code: string) {
    const found = interpretScan({ code, cardHash: await hashCardCode(code) }, entries)
    if (found.kind === 'welcome') checkIn.mark(found.entry.id, found.entry.guests + 1)
    setScanned(found)
    navigator.vibrate?.(found.kind === 'welcome' ? 60 : [60, 60, 60])
  }

  function mark(rsvpId: string, count: number) {
    moveFocus(() => findButton(rsvpId))
    checkIn.mark(rsvpId, count)
  }

  async function remove(entry: CheckInEntry) {
    setDialog(null)
    await action.run(
      entry.id,
      async () => {
        const list = await callAsOfficer(removeRsvp, { params: { id, rsvpId: entry.id } })
        moveFocus(findSearch)
        checkIn.setList(list)
      },
      `${entry.name} was removed from the list.`,
    )
  }

  return (
    <EventPage id={id} tab="checkIn" title={kept.list.event.title} when={kept.list.event.date}>
      {() => (
        <>
          <RsvpCounts event={{ ...kept.list.event, counts: { ...kept.list.event.counts, arrived } }} />
          {kept.list.meals.length > 0 && (
            <p className="small soft">
              Meals: {kept.list.meals.map(({ meal, count }) => `${count} ${meal}`).join(', ')}
            </p>
          )}
          <Connection
            unsent={countUnsent(kept)}
            isOffline={checkIn.isOffline}
            failure={checkIn.failure}
            opensOffline={opensOffline}
            onLook={checkIn.sync}
          />
          <ActionMessages action={action} />
          <div className="buttons">
            <Button onClick={() => setScanning(!isScanning)}>{isScanning ? 'Stop scanning' : 'Scan codes'}</Button>
            <Button variant="line" onClick={() => setDialog('walk-in')}>
              Add walk-in
            </Button>
            <Button
              variant="line"
              busy={action.busy === 'csv'}
              busyLabel="Exporting"
              onClick={() => void action.run('csv', () => saveList(id))}
            >
              Export
            </Button>
            <Button variant="line" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
              {isEditing ? 'Done removing' : 'Remove guests'}
            </Button>
          </div>
          {isScanning && <Scanner reader={reader} onCode={(code) => void scan(code)} />}
          <div role="status">{scanned && <ScanResult scanned={scanned} />}</div>
          <SearchField label="Find by name or email" onSearch={setQuery} />
          <CheckInList
            entries={searchEntries(entries, query)}
            isSearched={query !== ''}
            isEditing={isEditing}
            onMark={mark}
            onRemove={setDialog}
          />
          <Dialog open={dialog === 'walk-in'} onClose={() => setDialog(null)} title="Add walk-in" width="30rem">
            <WalkInForm
              onAdd={(name, guests) => {
                checkIn.addWalkIn(name, guests)
                setDialog(null)
              }}
            />
          </Dialog>
          <Dialog
            open={dialog !== null && dialog !== 'walk-in'}
            onClose={() => setDialog(null)}
            title="Cancel this RSVP?"
            width="30rem"
          >
            {dialog !== null && dialog !== 'walk-in' && (
              <>
                <p>
                  {dialog.name}
                  {dialog.guests > 0 && ` and ${dialog.guests} ${dialog.guests === 1 ? 'guest' : 'guests'}`} will lose
                  their seats
                  {dialog.isWalkIn ? '.' : '. We’ll email them and offer the seats to the waitlist.'}
                </p>
                <div className="buttons">
                  <Button variant="danger" onClick={() => void remove(dialog)}>
                    Cancel RSVP
                  </Button>
                  <Button variant="line" onClick={() => setDialog(null)}>
                    Keep RSVP
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </>
      )}
    </EventPage>
  )
}

interface ConnectionProps {
  unsent: number
  isOffline: boolean
  failure: string | null
  /** The page can be reopened offline. */
  opensOffline: boolean
  onLook(): void
}

function Connection({ unsent, isOffline, failure, opensOffline, onLook }: ConnectionProps) {
  if (failure) {
    return (
      <Banner tone="bad" role="alert">
        {failure}
      </Banner>
    )
  }
  if (!isOffline) {
    return (
      <div className="small soft">
        <p>{unsent > 0 ? `Sending ${unsent}…` : 'All changes sent.'}</p>
        {opensOffline && <p>This page now works offline.</p>}
      </div>
    )
  }
  return (
    <Banner tone="warn" role="status">
      <p>
        You’re offline. {unsent === 0 ? 'Changes are' : `${unsent} not sent yet. Changes are`} saved on this phone and
        sent automatically.
      </p>
      <Button variant="line" size="small" onClick={onLook}>
        Retry
      </Button>
    </Banner>
  )
}

const SCANNED = {
  again: 'Already checked in.',
  waiting: 'On the waitlist. Check in by name to give them a seat.',
  paying: 'Has not paid. Check in by name to admit them.',
}

function ScanResult({ scanned }: { scanned: ScanResult }) {
  if (scanned.kind === 'unknown')
    return <Banner tone="bad">This code is not for this event. Search by name instead.</Banner>
  if (scanned.kind === 'unknown-card')
    return <Banner tone="bad">There is no RSVP with this membership card. Search by name instead.</Banner>
  const { name, guests } = scanned.entry
  const party = guests === 0 ? name : `${name} and ${guests} ${guests === 1 ? 'guest' : 'guests'}`
  if (scanned.kind === 'welcome') return <Banner tone="good" title={`Welcome, ${party}`} />
  return (
    <Banner tone="warn" title={party}>
      {SCANNED[scanned.kind]}
    </Banner>
  )
}

/** What to press at a guest now: check in, or undo. */
function findButton(rsvpId: string): HTMLElement | null {
  const guest = document.querySelector(`.check-in-list [data-id="${CSS.escape(rsvpId)}"]`)
  return guest?.querySelector<HTMLElement>('button:not(.row-menu)') ?? findSearch()
}

function findSearch(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.console-page [role="search"] input')
}

async function saveList(id: string): Promise<void> {
  const url = URL.createObjectURL(await callAsOfficer(exportRsvps, { params: { id } }))
  const link = document.createElement('a')
  link.href = url
  link.download = `rsvp-${id}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
