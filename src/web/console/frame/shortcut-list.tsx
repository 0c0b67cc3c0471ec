import { useState } from 'react'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import type { Officer } from '../shell/use-officer.ts'
import { areShortcutsOn, shortcutsFor, turnShortcuts } from './use-shortcuts.ts'

const EVERYWHERE = [
  { keys: '/', label: 'Search' },
  { keys: '?', label: 'This list' },
  { keys: 'Ctrl s', label: 'Save changes' },
]

const LISTS = [
  { keys: 'j', label: 'Next row' },
  { keys: 'k', label: 'Previous row' },
  { keys: 'Enter', label: 'Open row' },
  { keys: 'x', label: 'Select row' },
  { keys: 'Shift x', label: 'Select up to this row' },
  { keys: 'Esc', label: 'Clear selection' },
]

interface ShortcutListProps {
  open: boolean
  onClose(): void
  officer: Officer
}

/** All keyboard shortcuts of the console, with the switch that turns them off on this device. */
export function ShortcutList({ open, onClose, officer }: ShortcutListProps) {
  const pages = shortcutsFor(officer.permissions)
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <ShortcutSwitch />
      <Keys heading="Everywhere" shortcuts={EVERYWHERE} />
      <Keys heading="Pages" shortcuts={pages} />
      <Keys heading="Lists" shortcuts={LISTS} />
    </Dialog>
  )
}

/** Turns single-key shortcuts on or off on this device. */
function ShortcutSwitch() {
  const [isOn, setOn] = useState(areShortcutsOn)
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          turnShortcuts(target.checked)
          setOn(target.checked)
        }}
      />
      Use keyboard shortcuts on this device
    </label>
  )
}

function Keys({ heading, shortcuts }: { heading: string; shortcuts: readonly { keys: string; label: string }[] }) {
  return (
    <section>
      <h3>{heading}</h3>
      <dl className="keys">
        {shortcuts.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
