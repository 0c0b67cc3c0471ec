import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react'
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from '../ui/console-icons.ts'
import { useNextFocus } from '../ui/use-next-focus.ts'

interface ChipPanelProps {
  text: ReactNode
  buttonClass?: string
  /** What is beside the button in the chip; without it the button stands alone. */
  chip?: { className: string; beside: ReactNode }
  /** Aligns the panel with the button's right edge. */
  end?: boolean
  children(close: () => void): ReactElement
}

/** A button with a panel below it. A list has many of them, so what opens the panel is mounted when the button is pressed for the first time. */
export function ChipPanel({ text, buttonClass, chip, end, children }: ChipPanelProps) {
  const [isUsed, setUsed] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isUsed) return
    // It replaces a plain button that was just pressed.
    button.current?.focus()
    button.current?.click()
  }, [isUsed])

  const inChip = (shown: ReactNode) =>
    chip ? (
      <span className={chip.className}>
        {shown}
        {chip.beside}
      </span>
    ) : (
      shown
    )
  if (!isUsed) {
    return (
      <div className="chip-box">
        {inChip(
          <button type="button" className={buttonClass} aria-expanded={false} onClick={() => setUsed(true)}>
            {text}
          </button>,
        )}
      </div>
    )
  }
  return (
    <Popover className="chip-box">
      {inChip(
        <PopoverButton ref={button} className={buttonClass}>
          {text}
        </PopoverButton>,
      )}
      <PopoverPanel className={end ? 'chip-panel end' : 'chip-panel'} focus>
        {({ close }) => children(close)}
      </PopoverPanel>
    </Popover>
  )
}

interface FilterChipProps {
  label: string
  /** What is chosen; null when nothing is. */
  chosen: string | null
  onRemove(): void
  children: ChipPanelProps['children']
}

/** The chip of one filter: says what is chosen, removes it, and opens the panel to choose. */
export function FilterChip({ label, chosen, onRemove, children }: FilterChipProps) {
  const isOn = chosen !== null
  const moveFocus = useNextFocus(isOn)
  return (
    <ChipPanel
      text={
        isOn ? (
          <>
            {label}: <b>{chosen}</b>
          </>
        ) : (
          <>
            <Icon d={ICONS.plus} />
            {label}
          </>
        )
      }
      chip={{
        className: isOn ? 'filter-chip on' : 'filter-chip',
        beside: isOn && (
          <button
            type="button"
            aria-label={`Remove filter ${label}`}
            onClick={({ currentTarget: { parentElement: chip } }) => {
              moveFocus(() => chip?.querySelector('button'))
              onRemove()
            }}
          >
            <Icon d={ICONS.cross} />
          </button>
        ),
      }}
    >
      {children}
    </ChipPanel>
  )
}
