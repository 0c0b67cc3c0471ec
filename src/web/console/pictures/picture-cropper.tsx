import { useId, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import {
  CORNERS,
  describeFrame,
  moveFrame,
  sizeFrame,
  type Corner,
  type Frame,
  type Ratio,
  type Size,
} from './crop-frame.rules.ts'

/** A part of the picture's width and height: a step of an arrow key, and one with Shift. */
const STEP = 0.01
const LONG_STEP = 0.05

const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

type Part = 'all' | Corner

/** A picture with a frame upon it, moved and sized by finger, mouse and arrow keys. */
export function PictureCropper({
  preview,
  whole,
  frame,
  ratio,
  onChange,
}: {
  preview: string
  /** Pixels of the picture, which may be more than those of its preview. */
  whole: Size
  frame: Frame
  ratio: Ratio
  onChange(frame: Frame): void
}) {
  const id = useId()
  const box = useRef<HTMLDivElement | null>(null)
  const drag = useRef<{ part: Part; x: number; y: number; from: Frame } | null>(null)

  function changed(part: Part, from: Frame, by: { x: number; y: number }): Frame {
    return part === 'all' ? moveFrame(from, by, whole) : sizeFrame(from, part, by, { whole, ratio })
  }

  function press(part: Part, event: KeyboardEvent): void {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    const step = event.shiftKey ? LONG_STEP : STEP
    onChange(changed(part, frame, { x: arrow.x * whole.width * step, y: arrow.y * whole.height * step }))
  }

  const handle = (part: Part) => ({
    'aria-describedby': `${id}-frame`,
    onKeyDown: (event: KeyboardEvent) => press(part, event),
    onPointerDown(event: PointerEvent<HTMLButtonElement>) {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { part, x: event.clientX, y: event.clientY, from: frame }
    },
    onPointerMove(event: PointerEvent) {
      const shownWidth = box.current?.clientWidth
      if (!drag.current || !shownWidth) return
      const pixels = whole.width / shownWidth
      const { x, y, from } = drag.current
      onChange(changed(drag.current.part, from, { x: (event.clientX - x) * pixels, y: (event.clientY - y) * pixels }))
    },
    onPointerUp: () => (drag.current = null),
    onPointerCancel: () => (drag.current = null),
  })

  const place = {
    left: percent(frame.left, whole.width),
    top: percent(frame.top, whole.height),
    width: percent(frame.width, whole.width),
    height: percent(frame.height, whole.height),
  }
  const corners: Record<Corner, { left: string; top: string }> = {
    'top left': { left: place.left, top: place.top },
    'top right': { left: percent(frame.left + frame.width, whole.width), top: place.top },
    'bottom left': { left: place.left, top: percent(frame.top + frame.height, whole.height) },
    'bottom right': {
      left: percent(frame.left + frame.width, whole.width),
      top: percent(frame.top + frame.height, whole.height),
    },
  }
  return (
    <div className="cropper" role="group" aria-label="What stays of the picture">
      <div className="cropper-box" ref={box} style={{ maxWidth: `${(65 * whole.width) / whole.height}vh` }}>
        <div className="cropper-picture">
          <img src={preview} alt="" width={whole.width} height={whole.height} draggable={false} />
          <div className="cropper-shade" style={place} aria-hidden="true" />
        </div>
        <button
          type="button"
          {...handle('all')}
          className="cropper-frame"
          style={place}
          aria-label="Frame: arrow keys move it"
        />
        {CORNERS.map((corner) => (
          <button
            key={corner}
            type="button"
            {...handle(corner)}
            className={`cropper-corner ${corner}`}
            style={corners[corner]}
            aria-label={`Corner ${corner}: arrow keys size the frame`}
          />
        ))}
      </div>
      <p className="small soft" id={`${id}-frame`} role="status">
        {describeFrame(frame)}
      </p>
    </div>
  )
}

/** What the frame leaves of the picture. */
export function CropPreview({ preview, whole, frame }: { preview: string; whole: Size; frame: Frame }) {
  const { left, top, width, height } = frame
  return (
    <svg
      className="crop-preview"
      role="img"
      aria-label="How it will look"
      viewBox={`${left} ${top} ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      <image href={preview} width={whole.width} height={whole.height} preserveAspectRatio="none" />
    </svg>
  )
}

function percent(part: number, whole: number): string {
  return `${(part / whole) * 100}%`
}
