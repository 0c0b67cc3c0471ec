import { useRef, useState, type ReactNode } from 'react'
import { Icon } from '#web/ui/icon.tsx'
import { ICONS } from './console-icons.ts'

interface DropZoneProps {
  /** Of the file input, such as 'image/*'. */
  accept: string
  /** What can be dropped, such as 'images'. */
  what: string
  hint: ReactNode
  isSingle?: boolean
  onFiles(files: File[]): void
}

/** Files are dropped here, or chosen with the button. */
export function DropZone({ accept, what, hint, isSingle, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])]
    if (chosen.length > 0) onFiles(isSingle ? chosen.slice(0, 1) : chosen)
  }
  return (
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <p>
        <Icon d={ICONS.upload} /> Drop {what} here, or{' '}
        <button type="button" className="text-button" onClick={() => input.current?.click()}>
          choose {isSingle ? 'a file' : 'files'}
        </button>
      </p>
      <p className="small soft">{hint}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={!isSingle}
        aria-label={`Choose ${what}`}
        onChange={({ target }) => {
          take(target.files)
          // So that the same file can be chosen again.
          target.value = ''
        }}
      />
    </div>
  )
}
