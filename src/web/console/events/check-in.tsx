import { useEffect, useMemo, useState } from 'react'
import { exportRsvps, removeRsvp, type DoorEntry } from '#contract/console-rsvp.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage } from '#web/features/console/console-page.tsx'
import { SearchField } from '#web/features/console/search-field.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { createCodeReader } from '#web/features/events/code-reader.ts'
import { keepOfficerAtDoor } from '#web/features/console/use-officer.ts'
import { DoorEntries } from '#web/features/events/door-entries.tsx'
import { keepDoorShell } from '#web/features/events/door-shell.ts'
import { countUnsent, readScan, searchEntries, shownEntries, type Scanned } from '#web/features/events/door.rules.ts'
import { RsvpCounts } from '#web/features/events/rsvp-state.tsx'
import { Scanner } from '#web/features/events/scanner.tsx'
import { useDoor } from '#web/features/events/use-door.ts'
import { WalkInForm } from '#web/features/events/walk-in-form.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Spinner } from '#web/ui/waiting.tsx'

/** The list for the door: look up or scan, check in, take back, add whoever just came. Works on when the network is gone. */
export default function DoorPage({ id }: { id: string }) {
  const door = useDoor(id)
  const action = useAction()
  const [words, setWords] = useState('')
  const [isEditing, setEditing] = useState(false)
  const [isScanning, setScanning] = useState(false)
  const [scanned, setScanned] = useState<Scanned | null>(null)
  const [asked, setAsked] = useState<'walk-in' | DoorEntry | null>(null)
  // Fetched at once, since the network may be gone when the camera is wanted.
  const reader = useMemo(() => createCodeReader(), [])
  const { kept } = door
  const isHeard = kept !== null && !door.isOffline && door.failure === null
  const [opensOffline, setOpensOffline] = useState(false)

  useEffect(() => {
    if (!isHeard) return
    let isHere = true
    keepOfficerAtDoor()
    // With the reader of codes everything was fetched that a door needs.
    void reader
      .catch(() => null)
      .then(keepDoorShell)
      .then((isKept) => isHere && setOpensOffline(isKept))
    return () => {
      isHere = false
    }
  }, [isHeard, reader])

  if (!kept) {
    return (
      <ConsolePage title="At the door">
        {door.isOffline || door.failure ? (
          <Banner tone="bad" role="alert">
            <p>{door.failure ?? 'There is no network, and this phone does not know the list yet.'}</p>
            <Button variant="line" size="small" onClick={door.look}>
              Try again
            </Button>
          </Banner>
        ) : (
          <Spinner text="Loading the list..." />
        )}
      </ConsolePage>
    )
  }

  const entries = shownEntries(kept)
  const arrived = entries.reduce((sum, entry) => sum + entry.arrived, 0)

  function scan(code: string) {
    const found = readScan(code, entries)
    if (found.kind === 'welcome') door.mark(found.entry.id, found.entry.guests + 1)
    setScanned(found)
    navigator.vibrate?.(found.kind === 'welcome' ? 60 : [60, 60, 60])
  }

  async function remove(entry: DoorEntry) {
    setAsked(null)
    await action.run(
      entry.id,
      async () => door.setList(await callAsOfficer(removeRsvp, { params: { id, rsvpId: entry.id } })),
      `${entry.name} was taken off the list.`,
    )
  }

  return (
    <ConsolePage
      title={kept.list.event.title}
      lead={kept.list.event.date}
      action={
        <ButtonLink variant="line" to={`/console/rsvp/${encodeURIComponent(id)}/offer`}>
          Set up
        </ButtonLink>
      }
    >
      <RsvpCounts event={{ ...kept.list.event, counts: { ...kept.list.event.counts, arrived } }} />
      {kept.list.meals.length > 0 && (
        <p className="small soft">Meals: {kept.list.meals.map(({ meal, count }) => `${count} ${meal}`).join(', ')}</p>
      )}
      <Connection
        unsent={countUnsent(kept)}
        isOffline={door.isOffline}
        failure={door.failure}
        opensOffline={opensOffline}
        onLook={door.look}
      />
      <ActionMessages action={action} />
      <div className="buttons">
        <Button onClick={() => setScanning(!isScanning)}>{isScanning ? 'Stop scanning' : 'Scan codes'}</Button>
        <Button variant="line" onClick={() => setAsked('walk-in')}>
          Add a walk-in
        </Button>
        <Button
          variant="line"
          busy={action.busy === 'csv'}
          busyLabel="Making the file"
          onClick={() => void action.run('csv', () => saveList(id))}
        >
          Save as CSV
        </Button>
        <Button variant="line" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
          {isEditing ? 'Back to checking in' : 'Take people off'}
        </Button>
      </div>
      {isScanning && <Scanner reader={reader} onCode={scan} />}
      <div role="status">{scanned && <ScanAnswer scanned={scanned} />}</div>
      <SearchField label="Find by name or email" onSearch={setWords} />
      <DoorEntries
        entries={searchEntries(entries, words)}
        isSearched={words !== ''}
        isEditing={isEditing}
        onMark={door.mark}
        onRemove={setAsked}
      />
      <Dialog open={asked === 'walk-in'} onClose={() => setAsked(null)} title="Add a walk-in" width="30rem">
        <WalkInForm
          onAdd={(name, guests) => {
            door.addWalkIn(name, guests)
            setAsked(null)
          }}
        />
      </Dialog>
      <Dialog
        open={asked !== null && asked !== 'walk-in'}
        onClose={() => setAsked(null)}
        title="Take off the list?"
        width="30rem"
      >
        {asked !== null && asked !== 'walk-in' && (
          <>
            <p>
              {asked.name}
              {asked.guests > 0 && ` and ${asked.guests} ${asked.guests === 1 ? 'guest' : 'guests'}`} will have no seat
              any more
              {asked.isWalkIn ? '.' : ', and a letter says so. Whoever waits longest and fits gets the seats.'}
            </p>
            <div className="buttons">
              <Button variant="danger" onClick={() => void remove(asked)}>
                Take off the list
              </Button>
              <Button variant="line" onClick={() => setAsked(null)}>
                Keep on the list
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

interface ConnectionProps {
  unsent: number
  isOffline: boolean
  failure: string | null
  /** This page can be opened again without a network. */
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
        <p>{unsent > 0 ? `Sending ${unsent}…` : 'Everything is sent.'}</p>
        {opensOffline && <p>This page now opens without a network too.</p>}
      </div>
    )
  }
  return (
    <Banner tone="warn" role="status">
      <p>
        No network. Go on: {unsent === 0 ? 'what you do' : `${unsent} not sent yet, what you do`} is kept on this phone
        and sent by itself.
      </p>
      <Button variant="line" size="small" onClick={onLook}>
        Try now
      </Button>
    </Banner>
  )
}

const SCANNED = {
  again: 'This code was checked in before.',
  waiting: 'On the waitlist: you decide who gets a seat.',
  paying: 'Has not paid yet: you decide who comes in.',
}

function ScanAnswer({ scanned }: { scanned: Scanned }) {
  if (scanned.kind === 'unknown')
    return <Banner tone="bad">This code is not on the list of this event. Look the person up by name.</Banner>
  const { name, guests } = scanned.entry
  const party = guests === 0 ? name : `${name} and ${guests} ${guests === 1 ? 'guest' : 'guests'}`
  if (scanned.kind === 'welcome') return <Banner tone="good" title={`Welcome, ${party}`} />
  return (
    <Banner tone="warn" title={party}>
      {SCANNED[scanned.kind]}
    </Banner>
  )
}

async function saveList(id: string): Promise<void> {
  const url = URL.createObjectURL(await callAsOfficer(exportRsvps, { params: { id } }))
  const link = document.createElement('a')
  link.href = url
  link.download = `rsvp-${id}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
