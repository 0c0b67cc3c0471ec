import { useId, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import {
  CORNERS,
  describeFrame,
  moveFrame,
  resizeFrame,
  type Corner,
  type Frame,
  type Ratio,
  type Size,
} from './crop-frame.rules.ts'

/** Arrow key steps, as a share of the image size; the second one with Shift. */
const STEP = 0.01
const LONG_STEP = 0.05

const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

type Part = 'all' | Corner

/** An image with a crop frame that is moved and resized by pointer or arrow keys. */
export function PictureCropper({
  preview,
  whole,
  frame,
  ratio,
  onChange,
}: {
  preview: string
  /** The size of the original, which can be larger than the preview. */
  whole: Size
  frame: Frame
  ratio: Ratio
  onChange(frame: Frame): void
}) {
  const id = useId()
  const box = useRef<HTMLDivElement | null>(null)
  const drag = useRef<{ part: Part; x: number; y: number; from: Frame } | null>(null)

  function changed(part: Part, from: Frame, by: { x: number; y: number }): Frame {
    return part === 'all' ? moveFrame(from, by, whole) : resizeFrame(from, part, by, { whole, ratio })
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

  const position = {
    left: percent(frame.left, whole.width),
    top: percent(frame.top, whole.height),
    width: percent(frame.width, whole.width),
    height: percent(frame.height, whole.height),
  }
  const corners: Record<Corner, { left: string; top: string }> = {
    'top left': { left: position.left, top: position.top },
    'top right': { left: percent(frame.left + frame.width, whole.width), top: position.top },
    'bottom left': { left: position.left, top: percent(frame.top + frame.height, whole.height) },
    'bottom right': {
      left: percent(frame.left + frame.width, whole.width),
      top: percent(frame.top + frame.height, whole.height),
    },
  }
  return (
    <div className="cropper" role="group" aria-label="Crop area">
      <div className="cropper-box" ref={box} style={{ maxWidth: `${(65 * whole.width) / whole.height}vh` }}>
        <div className="cropper-picture">
          <img src={preview} alt="" width={whole.width} height={whole.height} draggable={false} />
          <div className="cropper-shade" style={position} aria-hidden="true" />
        </div>
        <button
          type="button"
          {...handle('all')}
          className="cropper-frame"
          style={position}
          aria-label="Frame: move with arrow keys"
        />
        {CORNERS.map((corner) => (
          <button
            key={corner}
            type="button"
            {...handle(corner)}
            className={`cropper-corner ${corner}`}
            style={corners[corner]}
            aria-label={`Corner ${corner}: resize with arrow keys`}
          />
        ))}
      </div>
      <p className="small soft" id={`${id}-frame`} role="status">
        {describeFrame(frame)}
      </p>
    </div>
  )
}

/** A preview of the cropped image. */
export function CropPreview({ preview, whole, frame }: { preview: string; whole: Size; frame: Frame }) {
  const { left, top, width, height } = frame
  return (
    <svg
      className="crop-preview"
      role="img"
      aria-label="Preview"
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
